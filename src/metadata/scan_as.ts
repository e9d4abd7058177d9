import { Cursor } from './cursor.ts';
import { FactsDraft } from './draft.ts';
import type { FileFacts, InputFormat } from './facts.ts';
import type { Payloads } from './payloads.ts';
import { scanResources } from './photoshop.ts';
import { scanExif } from './tiff/exif.ts';

/**
 * Walks a container from its first byte to its last. Whenever a pause is due it yields the work done since
 * the last one, in bytes searched (`Cursor.meter`), so that other jobs can run. This is what "yields as
 * scanners do" means elsewhere.
 */
export type Scanner = (cursor: Cursor, draft: FactsDraft) => Generator<number, void>;

/**
 * What a file of a known format says about itself, read by the scanner of that format; see `scan`.
 * @throws Fault 'limit' if there is no memory to inflate a compressed text of a PNG
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
  // the queue may grow during the loop; the draft limits it
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

/** Runs a scan without pauses and returns its result. */
export function resultOf<T>(parts: Generator<number, T>): T {
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
  }
}
