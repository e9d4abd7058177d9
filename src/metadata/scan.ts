import { scanAvif } from './avif.ts';
import { Cursor } from './cursor.ts';
import { FactsDraft } from './draft.ts';
import { scanExif } from './exif.ts';
import type { BlockName, FileFacts, InputFormat } from './facts.ts';
import { scanGif } from './gif.ts';
import { scanJpeg } from './jpeg.ts';
import type { Payloads } from './payloads.ts';
import { scanResources } from './photoshop.ts';
import { scanPng } from './png.ts';
import { identify } from './signatures.ts';
import { scanTiff } from './tiff.ts';
import { scanWebp } from './webp.ts';

/** Walks a container from its first byte to its last; yields bytes gone through where that takes long. */
type Scanner = (cursor: Cursor, draft: FactsDraft) => Iterable<number>;

const atOnce =
  (walk: (cursor: Cursor, draft: FactsDraft) => void): Scanner =>
  (cursor, draft) => {
    walk(cursor, draft);
    return [];
  };

const SCANNERS: Readonly<Record<InputFormat, Scanner>> = {
  jpeg: atOnce(scanJpeg),
  png: scanPng,
  webp: atOnce(scanWebp),
  avif: atOnce(scanAvif),
  tiff: atOnce(scanTiff),
  gif: atOnce(scanGif),
};

/**
 * What a file says of itself, read from its bytes without decoding a pixel: size, orientation, every metadata
 * block, and whether the container reaches its end. Pure; copies no payload, never throws for what the bytes
 * are, and takes time linear in their number whatever they are.
 * @param cursor for tests that count reads
 * @param payloads takes what `values/read_values.ts` can read; without it nothing is kept
 * @returns null when the bytes are none of the six input formats; `identify` then tells what they are
 * @throws Fault 'limit' when there is no memory to look into a compressed text of a PNG
 */
export function scan(
  bytes: Uint8Array,
  cursor: Cursor = new Cursor(bytes),
  payloads: Payloads | null = null,
): FileFacts | null {
  const parts = scanInParts(bytes, cursor, payloads);
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
  }
}

/** As `scan`, yielding bytes gone through now and then, so that others may run. */
export function* scanInParts(
  bytes: Uint8Array,
  cursor: Cursor = new Cursor(bytes),
  payloads: Payloads | null = null,
): Generator<number, FileFacts | null> {
  const { format } = identify(bytes);
  if (format === null) return null;
  const draft = new FactsDraft(format, bytes.length, payloads);
  yield* SCANNERS[format](cursor, draft);
  // the queue may grow while it is worked off; the draft caps it
  for (let n = 0; n < draft.nested.length; n++) {
    const { kind, window } = draft.nested[n]!;
    if (kind === 'exif') scanExif(window, draft, { governs: false });
    else scanResources(window, 0, window.length, draft);
  }
  if (draft.width === 0 || draft.height === 0)
    draft.fail('the file ends before it says how large the image is');
  if (cursor.meter.spent) draft.fail('its structures point at each other without end');
  return draft.finish();
}

/** The names of the blocks, each once, in the order in which they first occur: what reports list. */
export function blockNames({ blocks }: Pick<FileFacts, 'blocks'>): BlockName[] {
  return [...new Set(blocks.map((block) => block.name))];
}
