import { Cursor } from './cursor.ts';
import { FactsDraft } from './draft.ts';
import type { FileFacts, InputFormat } from './facts.ts';
import type { Payloads } from './payloads.ts';
import { scanResources } from './photoshop.ts';
import { scanExif } from './tiff/exif.ts';

/**
 * Walks a container from its first byte to its last; yields bytes gone through where that takes long, and
 * what its cursor says where a pause is due.
 */
export type Scanner = (cursor: Cursor, draft: FactsDraft) => Generator<number, void>;

/**
 * What a file of a known format says of itself, by the scanner of that format; see `scan`.
 * @throws Fault 'limit' when there is no memory to look into a compressed text of a PNG
 */
export function* scanAs(
  format: InputFormat,
  scanner: Scanner,
  bytes: Uint8Array,
  cursor: Cursor = new Cursor(bytes),
  payloads: Payloads | null = null,
): Generator<number, FileFacts> {
  const draft = new FactsDraft(format, bytes.length, payloads);
  yield* scanner(cursor, draft);
  yield* draft.workOff(cursor);
  // the queue may grow while it is worked off; the draft caps it
  for (let n = 0; n < draft.nested.length; n++) {
    const { kind, window } = draft.nested[n]!;
    if (kind === 'exif') scanExif(window, draft, { governs: false });
    else scanResources(window, 0, window.length, draft);
    yield* draft.workOff(cursor);
  }
  if (draft.width === 0 || draft.height === 0)
    draft.fail('the file ends before it says how large the image is');
  if (cursor.meter.spent) draft.fail('its structures point at each other without end');
  return draft.finish();
}

/** What a scan comes to, in one go. */
export function resultOf<T>(parts: Generator<number, T>): T {
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
  }
}
