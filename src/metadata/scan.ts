import { scanAvif } from './avif/scanner.ts';
import { Cursor } from './cursor.ts';
import type { FileFacts, InputFormat } from './facts.ts';
import { formatOf } from './format_of.ts';
import { scanGif } from './gif/scanner.ts';
import { scanJpeg } from './jpeg/scanner.ts';
import type { Payloads } from './payloads.ts';
import { scanPng } from './png/scanner.ts';
import { resultOf, type Scanner, scanAs } from './scan_as.ts';
import { scanTiff } from './tiff/scanner.ts';
import { scanWebp } from './webp/scanner.ts';

const SCANNERS: Readonly<Record<InputFormat, Scanner>> = {
  jpeg: scanJpeg,
  png: scanPng,
  webp: scanWebp,
  avif: scanAvif,
  tiff: scanTiff,
  gif: scanGif,
};

/**
 * Reads what a file says about itself, without decoding a pixel: size, orientation, every metadata block, and
 * whether the container reaches its end. Pure; copies no payload, never throws because of the file's content,
 * and always takes time linear in its length.
 * @param cursor for tests that count reads
 * @param payloads receives what `values/read_values.ts` can read; without it nothing is kept
 * @returns null if the bytes are not an input format; `identify` then says what they are
 * @throws Fault 'limit' if there is no memory to inflate a compressed text of a PNG
 */
export function scan(
  bytes: Uint8Array,
  cursor: Cursor = new Cursor(bytes),
  payloads: Payloads | null = null,
): FileFacts | null {
  return resultOf(scanInParts(bytes, cursor, payloads));
}

/** Like `scan`, but yields now and then the work done, in bytes searched, so that other jobs can run. */
export function* scanInParts(
  bytes: Uint8Array,
  cursor: Cursor = new Cursor(bytes),
  payloads: Payloads | null = null,
): Generator<number, FileFacts | null> {
  const format = formatOf(bytes);
  if (format === null) return null;
  return yield* scanAs(format, SCANNERS[format], bytes, cursor, payloads);
}
