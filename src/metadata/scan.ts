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
 * What a file says of itself, read from its bytes without decoding a pixel: size, orientation, every metadata
 * block, and whether the container reaches its end. Pure; copies no payload, never throws for what the bytes
 * are, and takes time linear in their number whatever they are.
 * @param cursor for tests that count reads
 * @param payloads takes what `values/read_values.ts` can read; without it nothing is kept
 * @returns null when the bytes are no input format; `identify` then tells what they are
 * @throws Fault 'limit' when there is no memory to look into a compressed text of a PNG
 */
export function scan(
  bytes: Uint8Array,
  cursor: Cursor = new Cursor(bytes),
  payloads: Payloads | null = null,
): FileFacts | null {
  return resultOf(scanInParts(bytes, cursor, payloads));
}

/** As `scan`, yielding bytes gone through now and then, so that others may run. */
export function* scanInParts(
  bytes: Uint8Array,
  cursor: Cursor = new Cursor(bytes),
  payloads: Payloads | null = null,
): Generator<number, FileFacts | null> {
  const format = formatOf(bytes);
  if (format === null) return null;
  return yield* scanAs(format, SCANNERS[format], bytes, cursor, payloads);
}
