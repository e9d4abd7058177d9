import type { InputFormat } from './facts.ts';

/** Sources: each format's own specification. */
const SIGNATURES: readonly (readonly [format: InputFormat, pattern: string])[] = [
  ['jpeg', '\xff\xd8\xff'],
  ['png', '\x89PNG\r\n\x1a\n'],
  ['gif', 'GIF87a'],
  ['gif', 'GIF89a'],
  ['webp', 'RIFF....WEBP'],
  ['tiff', 'II*\0'],
  ['tiff', 'MM\0*'],
  ['tiff', 'II+\0'],
  ['tiff', 'MM\0+'],
];
/** Most compatible brands read; real files have fewer than a dozen. */
const MAX_BRANDS = 64;

/** The input format of a file, by its first bytes; null for any other. */
export function formatOf(bytes: Uint8Array): InputFormat | null {
  const brands = brandsOf(bytes);
  // AVIF if one of its brands is anywhere in the list (AVIF §6)
  if (brands) return brands.has('avif') || brands.has('avis') ? 'avif' : null;
  return SIGNATURES.find(([, pattern]) => matches(bytes, 0, pattern))?.[0] ?? null;
}

/** The brands of an ISO base media file (ISO/IEC 14496-12 §4.3); undefined for any other. */
export function brandsOf(bytes: Uint8Array): ReadonlySet<string> | undefined {
  if (!matches(bytes, 4, 'ftyp')) return undefined;
  const size = ((bytes[0]! << 24) | (bytes[1]! << 16) | (bytes[2]! << 8) | bytes[3]!) >>> 0;
  const end = Math.min(size, bytes.length, 16 + MAX_BRANDS * 4);
  const brands = new Set<string>();
  // offset 12 is the minor version
  for (let at = 8; at + 4 <= end; at += at === 8 ? 8 : 4) brands.add(latin1(bytes, at, at + 4));
  return brands;
}

/** Whether `pattern` matches at an offset; `.` in it stands for any byte. */
export function matches(bytes: Uint8Array, at: number, pattern: string): boolean {
  if (at + pattern.length > bytes.length) return false;
  for (let i = 0; i < pattern.length; i++) {
    if (pattern[i] !== '.' && bytes[at + i] !== pattern.charCodeAt(i)) return false;
  }
  return true;
}

export function latin1(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}
