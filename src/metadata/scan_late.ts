import { Cursor } from './cursor.ts';
import type { FileFacts, InputFormat } from './facts.ts';
import { formatOf } from './format_of.ts';
import type { Payloads } from './payloads.ts';
import { type Scanner, scanAs } from './scan_as.ts';

/** Each format's scanner as a script of its own, for pages and programs that examine one file at a time. */
const SCANNERS: Readonly<Record<InputFormat, () => Promise<Scanner>>> = {
  jpeg: async () => (await import('./jpeg/scanner.ts')).scanJpeg,
  png: async () => (await import('./png/scanner.ts')).scanPng,
  webp: async () => (await import('./webp/scanner.ts')).scanWebp,
  avif: async () => (await import('./avif/scanner.ts')).scanAvif,
  tiff: async () => (await import('./tiff/scanner.ts')).scanTiff,
  gif: async () => (await import('./gif/scanner.ts')).scanGif,
};

/** Like `scanInParts`; loads only the scanner of the file's format. Null if it is not an input format. */
export async function scanLateInParts(
  bytes: Uint8Array,
  cursor: Cursor = new Cursor(bytes),
  payloads: Payloads | null = null,
): Promise<Generator<number, FileFacts> | null> {
  const format = formatOf(bytes);
  if (format === null) return null;
  return scanAs(format, await SCANNERS[format](), bytes, cursor, payloads);
}
