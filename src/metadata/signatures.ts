import type { InputFormat } from './facts.ts';
import { brandsOf, formatOf, latin1, matches } from './format_of.ts';

/** What a file is, according to its first bytes: an input format, or a name that the sender understands. */
export type Identity =
  | { readonly format: InputFormat; readonly name?: undefined }
  | { readonly format: null; readonly name: string };

/** Recognises other formats by bytes at an offset; `.` in a pattern stands for any byte. */
interface Signature {
  readonly name: string;
  readonly pattern: string;
  readonly at?: number;
}

/** First match wins. Source: file(1). */
const SIGNATURES: readonly Signature[] = [
  { name: 'a damaged PNG (its signature was altered in transfer)', pattern: 'PNG', at: 1 },
  { name: 'JPEG XL', pattern: '\xff\x0a' },
  { name: 'JPEG XL', pattern: '\0\0\0\x0cJXL \r\n\x87\n' },
  { name: 'JPEG 2000', pattern: '\0\0\0\x0cjP  \r\n\x87\n' },
  { name: 'JPEG 2000', pattern: '\xff\x4f\xff\x51' },
  { name: 'JPEG XR', pattern: 'II\xbc' },
  { name: 'BMP', pattern: 'BM' },
  { name: 'Photoshop document', pattern: '8BPS' },
  { name: 'OpenEXR', pattern: '\x76\x2f\x31\x01' },
  { name: 'Radiance HDR', pattern: '#?RADIANCE' },
  { name: 'QOI', pattern: 'qoif' },
  { name: 'DDS', pattern: 'DDS ' },
  { name: 'Windows icon', pattern: '\0\0\x01\0' },
  { name: 'Windows cursor', pattern: '\0\0\x02\0' },
  { name: 'PCX', pattern: '\x0a.\x01' },
  { name: 'FLIF', pattern: 'FLIF' },
  { name: 'BPG', pattern: 'BPG\xfb' },
  { name: 'DjVu', pattern: 'AT&TFORM' },
  { name: 'Canon raw photo', pattern: 'II\x1a\0\0\0HEAPCCDR' },
  { name: 'Fujifilm raw photo', pattern: 'FUJIFILMCCD-RAW' },
  { name: 'Olympus raw photo', pattern: 'IIRO' },
  { name: 'Panasonic raw photo', pattern: 'IIU\0' },
  { name: 'PDF', pattern: '%PDF-' },
  { name: 'PostScript', pattern: '%!PS' },
  { name: 'gzip archive', pattern: '\x1f\x8b' },
  { name: 'ZIP archive', pattern: 'PK\x03\x04' },
  { name: 'ZIP archive', pattern: 'PK\x05\x06' },
  { name: '7-Zip archive', pattern: "7z\xbc\xaf'\x1c" },
  { name: 'RAR archive', pattern: 'Rar!\x1a\x07' },
  { name: 'bzip2 archive', pattern: 'BZh' },
  { name: 'xz archive', pattern: '\xfd7zXZ\0' },
  { name: 'Zstandard archive', pattern: '\x28\xb5\x2f\xfd' },
  { name: 'tar archive', pattern: 'ustar', at: 257 },
  { name: 'WAV audio', pattern: 'RIFF....WAVE' },
  { name: 'AVI video', pattern: 'RIFF....AVI ' },
  { name: 'Matroska or WebM video', pattern: '\x1a\x45\xdf\xa3' },
  { name: 'MP3 audio', pattern: 'ID3' },
  { name: 'Ogg media', pattern: 'OggS' },
  { name: 'FLAC audio', pattern: 'fLaC' },
  { name: 'SQLite database', pattern: 'SQLite format 3\0' },
  { name: 'executable program', pattern: '\x7fELF' },
  { name: 'executable program', pattern: 'MZ' },
  { name: 'WebAssembly module', pattern: '\0asm' },
  { name: 'a JPEG whose first bytes are damaged', pattern: 'JFIF\0', at: 6 },
  { name: 'a JPEG whose first bytes are damaged', pattern: 'Exif\0', at: 6 },
];

/**
 * Brands of ISO base media files other than AVIF, with their common names. Source: MP4 registration authority
 * (mp4ra.org).
 */
const BRANDS: readonly (readonly [brand: string, name: string])[] = [
  ['heic', 'HEIC'],
  ['heix', 'HEIC'],
  ['heim', 'HEIC'],
  ['heis', 'HEIC'],
  ['hevc', 'HEIC sequence'],
  ['hevx', 'HEIC sequence'],
  ['hevm', 'HEIC sequence'],
  ['hevs', 'HEIC sequence'],
  ['mif1', 'HEIF'],
  ['mif2', 'HEIF'],
  ['msf1', 'HEIF sequence'],
  ['crx ', 'Canon raw photo'],
  ['qt  ', 'QuickTime video'],
  ['isom', 'MP4 video'],
  ['iso2', 'MP4 video'],
  ['mp41', 'MP4 video'],
  ['mp42', 'MP4 video'],
  ['avc1', 'MP4 video'],
  ['M4V ', 'MP4 video'],
  ['M4A ', 'MP4 audio'],
  ['3gp4', '3GP video'],
  ['3gp5', '3GP video'],
];
/** Bytes read to distinguish text from other data. */
const TEXT_PREFIX = 1024;

/**
 * Names a file by its first bytes. Names are for the sender: "HEIC", "SVG", "an empty body", "unknown
 * data".
 */
export function identify(bytes: Uint8Array): Identity {
  const format = formatOf(bytes);
  return format === null ? { format, name: nameOf(bytes) } : { format };
}

function nameOf(bytes: Uint8Array): string {
  if (bytes.length === 0) return 'an empty body';
  const brands = brandsOf(bytes);
  if (brands) {
    const known = BRANDS.find(([brand]) => brands.has(brand));
    return known?.[1] ?? 'an ISO media file of an unknown brand';
  }
  const signature = SIGNATURES.find(({ pattern, at }) => matches(bytes, at ?? 0, pattern));
  return signature?.name ?? textName(bytes) ?? 'unknown data';
}

/**
 * The kind of a text, or null for bytes that are not text: they have control characters, or only white space.
 */
function textName(bytes: Uint8Array): string | null {
  const start = matches(bytes, 0, '\xef\xbb\xbf') ? 3 : 0;
  const prefix = bytes.subarray(start, start + TEXT_PREFIX);
  if (
    prefix.some((byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d)
  ) {
    return null;
  }
  const text = latin1(prefix, 0, prefix.length).trimStart();
  if (text === '') return 'white space';
  if (/^<(!doctype html|html|head|body|script)/i.test(text)) return 'HTML';
  if (/^</.test(text) && /<svg[\s>:]/i.test(text)) return 'SVG';
  if (/^<\?xml/i.test(text)) return 'XML';
  if (/^data:/i.test(text)) return 'a data URL';
  if (/^[[{]/.test(text)) return 'JSON';
  if (/^P[1-7]\s/.test(text)) return 'Netpbm';
  return /^[\x20-\x7e\s]*$/.test(text) ? 'text' : null;
}
