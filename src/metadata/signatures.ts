import type { InputFormat } from './facts.ts';

/**
 * What the first bytes say a file is: one of the six input formats, or a name that the sender will
 * understand.
 */
export type Identity =
  | { readonly format: InputFormat; readonly name?: undefined }
  | { readonly format: null; readonly name: string };

/** Bytes at an offset; `.` in a pattern is any byte. */
interface Signature {
  readonly is: InputFormat | { readonly name: string };
  readonly pattern: string;
  readonly at?: number;
}

const named = (name: string) => ({ name });

/** First match wins. Sources: each format's own specification; those of no input format as in file(1). */
const SIGNATURES: readonly Signature[] = [
  { is: 'jpeg', pattern: '\xff\xd8\xff' },
  { is: 'png', pattern: '\x89PNG\r\n\x1a\n' },
  { is: 'gif', pattern: 'GIF87a' },
  { is: 'gif', pattern: 'GIF89a' },
  { is: 'webp', pattern: 'RIFF....WEBP' },
  { is: 'tiff', pattern: 'II*\0' },
  { is: 'tiff', pattern: 'MM\0*' },
  { is: 'tiff', pattern: 'II+\0' },
  { is: 'tiff', pattern: 'MM\0+' },
  { is: named('a damaged PNG (its signature was altered in transfer)'), pattern: 'PNG', at: 1 },
  { is: named('JPEG XL'), pattern: '\xff\x0a' },
  { is: named('JPEG XL'), pattern: '\0\0\0\x0cJXL \r\n\x87\n' },
  { is: named('JPEG 2000'), pattern: '\0\0\0\x0cjP  \r\n\x87\n' },
  { is: named('JPEG 2000'), pattern: '\xff\x4f\xff\x51' },
  { is: named('JPEG XR'), pattern: 'II\xbc' },
  { is: named('BMP'), pattern: 'BM' },
  { is: named('Photoshop document'), pattern: '8BPS' },
  { is: named('OpenEXR'), pattern: '\x76\x2f\x31\x01' },
  { is: named('Radiance HDR'), pattern: '#?RADIANCE' },
  { is: named('QOI'), pattern: 'qoif' },
  { is: named('DDS'), pattern: 'DDS ' },
  { is: named('Windows icon'), pattern: '\0\0\x01\0' },
  { is: named('Windows cursor'), pattern: '\0\0\x02\0' },
  { is: named('PCX'), pattern: '\x0a.\x01' },
  { is: named('FLIF'), pattern: 'FLIF' },
  { is: named('BPG'), pattern: 'BPG\xfb' },
  { is: named('DjVu'), pattern: 'AT&TFORM' },
  { is: named('Canon raw photo'), pattern: 'II\x1a\0\0\0HEAPCCDR' },
  { is: named('Fujifilm raw photo'), pattern: 'FUJIFILMCCD-RAW' },
  { is: named('Olympus raw photo'), pattern: 'IIRO' },
  { is: named('Panasonic raw photo'), pattern: 'IIU\0' },
  { is: named('PDF'), pattern: '%PDF-' },
  { is: named('PostScript'), pattern: '%!PS' },
  { is: named('gzip archive'), pattern: '\x1f\x8b' },
  { is: named('ZIP archive'), pattern: 'PK\x03\x04' },
  { is: named('ZIP archive'), pattern: 'PK\x05\x06' },
  { is: named('7-Zip archive'), pattern: "7z\xbc\xaf'\x1c" },
  { is: named('RAR archive'), pattern: 'Rar!\x1a\x07' },
  { is: named('bzip2 archive'), pattern: 'BZh' },
  { is: named('xz archive'), pattern: '\xfd7zXZ\0' },
  { is: named('Zstandard archive'), pattern: '\x28\xb5\x2f\xfd' },
  { is: named('tar archive'), pattern: 'ustar', at: 257 },
  { is: named('WAV audio'), pattern: 'RIFF....WAVE' },
  { is: named('AVI video'), pattern: 'RIFF....AVI ' },
  { is: named('Matroska or WebM video'), pattern: '\x1a\x45\xdf\xa3' },
  { is: named('MP3 audio'), pattern: 'ID3' },
  { is: named('Ogg media'), pattern: 'OggS' },
  { is: named('FLAC audio'), pattern: 'fLaC' },
  { is: named('SQLite database'), pattern: 'SQLite format 3\0' },
  { is: named('executable program'), pattern: '\x7fELF' },
  { is: named('executable program'), pattern: 'MZ' },
  { is: named('WebAssembly module'), pattern: '\0asm' },
  { is: named('a JPEG whose first bytes are damaged'), pattern: 'JFIF\0', at: 6 },
  { is: named('a JPEG whose first bytes are damaged'), pattern: 'Exif\0', at: 6 },
];

/**
 * Brands of ISO base media files that are no AVIF, by what people call them. Source: MP4 registration
 * authority (mp4ra.org).
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
/** Compatible brands read; files in use have fewer than a dozen. */
const MAX_BRANDS = 64;
/** Bytes read to tell text from other data. */
const TEXT_PREFIX = 1024;

/**
 * Names a file by its first bytes. Names are for the sender: "HEIC", "SVG", "an empty body", "unknown
 * data".
 */
export function identify(bytes: Uint8Array): Identity {
  if (bytes.length === 0) return { format: null, name: 'an empty body' };
  if (matches(bytes, 4, 'ftyp')) return identifyBrand(bytes);
  for (const { is, pattern, at } of SIGNATURES) {
    if (matches(bytes, at ?? 0, pattern)) {
      return typeof is === 'string' ? { format: is } : { format: null, name: is.name };
    }
  }
  return { format: null, name: textName(bytes) ?? 'unknown data' };
}

/**
 * AVIF when `avif` or `avis` stands anywhere among the brands (ISO/IEC 14496-12 §4.3; AVIF §6), otherwise the
 * first brand known.
 */
function identifyBrand(bytes: Uint8Array): Identity {
  const size = ((bytes[0]! << 24) | (bytes[1]! << 16) | (bytes[2]! << 8) | bytes[3]!) >>> 0;
  const end = Math.min(size, bytes.length, 16 + MAX_BRANDS * 4);
  const brands = new Set<string>();
  // offset 12 is the minor version
  for (let at = 8; at + 4 <= end; at += at === 8 ? 8 : 4) brands.add(latin1(bytes, at, at + 4));
  if (brands.has('avif') || brands.has('avis')) return { format: 'avif' };
  const known = BRANDS.find(([brand]) => brands.has(brand));
  return { format: null, name: known?.[1] ?? 'an ISO media file of an unknown brand' };
}

/** What a text is, or null for bytes that are none: control characters, or nothing but white space. */
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

function matches(bytes: Uint8Array, at: number, pattern: string): boolean {
  if (at + pattern.length > bytes.length) return false;
  for (let i = 0; i < pattern.length; i++) {
    if (pattern[i] !== '.' && bytes[at + i] !== pattern.charCodeAt(i)) return false;
  }
  return true;
}

function latin1(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}
