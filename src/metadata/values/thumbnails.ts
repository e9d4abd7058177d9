import type { Cursor } from '../cursor.ts';
import { joinWindows } from '../join.ts';
import type { Payload } from '../payloads.ts';
import { type Directory, Tiff } from '../tiff/ifd.ts';
import * as Tag from '../tiff/tags.ts';
import { avifOf } from './avif_thumbnail.ts';
import type { Source, Thumbnail } from './values.ts';
import type { ValuesDraft } from './values_draft.ts';

/** The picture to compare thumbnails with, and what may be returned of them. */
export interface Picture {
  /** As stored, in pixels; 0 if unknown. */
  readonly width: number;
  readonly height: number;
  /** Whether the thumbnails themselves are wanted, and how many bytes of them may still be returned. */
  readonly wanted: boolean;
  allowance: number;
}

/** Most bytes of all returned thumbnails together; in base64 they are a third longer. */
export const MAX_THUMBNAIL_BYTES = 1 << 20;
/** Most strips of one thumbnail whose lengths are added up. */
const MAX_STRIPS = 4096;
/** Most segments skipped before a JPEG's frame header. */
const MAX_SEGMENTS = 64;
/** Tag of MP Entry, and bytes of each entry: CIPA DC-007 §5.2.3.3. */
const MP_ENTRY = 0xb002;
const MP_ENTRY_BYTES = 16;
const MAX_PICTURES = 64;
/** Type codes of large thumbnails, §5.2.3.3.1: VGA and full HD. */
const LARGE_THUMBNAIL = 0x01;
/** Bytes before the JPEG, Photoshop File Formats Specification, "Thumbnail resource format". */
const RESOURCE_HEADER = 28;

/**
 * Adds the thumbnail of a directory: the second directory of an Exif payload, or one marked as a smaller
 * version.
 */
export function addIfdThumbnail(
  tiff: Tiff,
  { fields }: Directory,
  { file, page }: { file: boolean; page: number },
  picture: Picture,
  draft: ValuesDraft,
): void {
  const number = (tag: number) => tiff.number(fields.get(tag));
  const reduced = (number(Tag.NewSubfileType) & 1) === 1 || number(Tag.SubfileType) === 2;
  if (file ? !reduced : page < 2) return;
  const source = { block: 'thumbnail', field: file ? 'SubIFD' : 'IFD1' } as const;
  const start = number(Tag.JPEGInterchangeFormat);
  const length = number(Tag.JPEGInterchangeFormatLength);
  if (start > 0 && length > 0) {
    addPicture(tiff.window.window(start, start + length), source, picture, draft);
    return;
  }
  const strips = fields.get(Tag.StripByteCounts) ?? fields.get(Tag.TileByteCounts);
  let bytes = 0;
  for (let i = 0; i < Math.min(strips?.count ?? 0, MAX_STRIPS); i++) bytes += tiff.number(strips, i) || 0;
  const size = { width: number(Tag.ImageWidth) || 0, height: number(Tag.ImageLength) || 0 };
  const encoding = number(Tag.Compression) === 1 ? 'samples' : 'unknown';
  add({ ...source, bytes, encoding, ...size }, picture, draft);
}

/** Adds a thumbnail from JPEG's APP0, from Photoshop's resources, or from an item of AVIF. */
export function readThumbnail(payload: Payload, picture: Picture, draft: ValuesDraft): void {
  const [window] = payload.windows;
  if (window === undefined) return;
  switch (payload.kind) {
    case 'jfif_thumbnail': {
      // one byte each for width and height, then RGB (ITU-T T.871 §10.1)
      const size = { width: Math.max(0, window.u8(0)), height: Math.max(0, window.u8(1)) };
      add({ ...from('JFIF'), bytes: window.length - 2, encoding: 'samples', ...size }, picture, draft);
      return;
    }
    case 'jfxx_thumbnail': {
      // a code for the encoding: 10 JPEG, 11 palette, 13 RGB (T.871 §10.2)
      if (window.u8(0) === 0x10) addPicture(window.window(1, window.length), from('JFXX'), picture, draft);
      else {
        const size = { width: Math.max(0, window.u8(1)), height: Math.max(0, window.u8(2)) };
        add({ ...from('JFXX'), bytes: window.length - 3, encoding: 'samples', ...size }, picture, draft);
      }
      return;
    }
    case 'photoshop_thumbnail':
      addPicture(window.window(RESOURCE_HEADER, window.length), from('Photoshop'), picture, draft);
      return;
    default: {
      if (payload.label === 'jpeg') addPicture(window, from('thmb'), picture, draft);
      else addItem(payload, picture, draft);
    }
  }
}

/**
 * Adds the large thumbnails listed in a multi-picture index.
 * @param file the whole file: offsets count from the index's header
 */
export function readMpf(index: Cursor, file: Cursor, picture: Picture, draft: ValuesDraft): void {
  const tiff = Tiff.open(index);
  const entries = tiff?.directory(tiff.header.first)?.fields.get(MP_ENTRY);
  if (!tiff || !entries) return;
  const count = Math.min(Math.floor(entries.bytes / MP_ENTRY_BYTES), MAX_PICTURES);
  const { little } = tiff.header;
  for (let i = 0; i < count; i++) {
    const at = entries.at + i * MP_ENTRY_BYTES;
    const attributes = index.u32(at, little);
    const length = index.u32(at + 4, little);
    const offset = index.u32(at + 8, little);
    if (((attributes >>> 16) & 0xff) !== LARGE_THUMBNAIL || offset <= 0 || length <= 0) continue;
    const start = index.origin + offset;
    addPicture(file.window(start, start + length), { block: 'mpf', field: 'MPF' }, picture, draft);
  }
}

const from = (field: string): Source => ({ block: 'thumbnail', field });

/** Adds an item of AVIF that is coded like its pictures. */
function addItem({ windows, label, item }: Payload, picture: Picture, draft: ValuesDraft): void {
  const bytes = windows.reduce((sum, { length }) => sum + length, 0);
  const encoding = label === 'av01' ? 'av1' : label === 'hvc1' ? 'hevc' : 'unknown';
  const size = { width: Math.max(0, item?.width ?? 0), height: Math.max(0, item?.height ?? 0) };
  let image: Uint8Array | null = null;
  if (encoding === 'av1' && item && picture.wanted) {
    const data = bytes <= picture.allowance ? joinWindows(windows, bytes) : null;
    image = data && avifOf(data.window, item);
    // If no file was made, joining the bytes still took as much.
    if (data) picture.allowance -= image?.length ?? bytes;
    else draft.cut = true;
  }
  add({ ...from('thmb'), bytes, encoding, ...size, ...(image && { image }) }, picture, draft);
}

/** Adds a payload that should be a JPEG. */
function addPicture(window: Cursor, source: Source, picture: Picture, draft: ValuesDraft): void {
  const jpeg = window.u16(0) === 0xffd8;
  const size = jpeg ? jpegSize(window) : { width: 0, height: 0 };
  const thumbnail = {
    ...source,
    bytes: window.length,
    encoding: jpeg ? 'jpeg' : 'unknown',
    ...size,
  } as const;
  const fits = jpeg && picture.wanted && window.length <= picture.allowance;
  const given = fits ? window.span(0, window.length) : null;
  if (given) picture.allowance -= given.length;
  else if (jpeg && picture.wanted) draft.cut = true;
  add({ ...thumbnail, ...(given && { image: given }) }, picture, draft);
}

/** Adds a thumbnail, unless it is empty. */
function add(thumbnail: Omit<Thumbnail, 'differs'>, picture: Picture, draft: ValuesDraft): void {
  const { block, field, bytes, encoding, width, height, ...image } = thumbnail;
  if (bytes <= 0) return;
  const differs = differsInShape({ width, height }, picture);
  draft.thumbnail({ block, field, bytes, encoding, width, height, differs, ...image });
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Whether two sizes differ in aspect ratio by more than rounding: each side of the smaller one may be off by
 * one pixel, and nobody crops by only 1 %. A turned thumbnail counts as the same.
 */
function differsInShape(small: Size, large: Size): boolean {
  if (Math.min(small.width, small.height, large.width, large.height) <= 0) return false;
  const allowed = 0.01 + 1 / small.width + 1 / small.height;
  const off = (width: number, height: number) =>
    Math.abs((width * large.height) / (height * large.width) - 1) > allowed;
  return off(small.width, small.height) && off(small.height, small.width);
}

/** Size of a JPEG from its frame header, T.81 B.2.2; zeros if there is none. */
function jpegSize(window: Cursor): Size {
  let at = 2;
  for (let n = 0; n < MAX_SEGMENTS; n++) {
    const marker = window.u16(at);
    const kind = marker & 0xff;
    if (marker < 0xff00 || kind === 0xda || kind === 0xd9) break;
    if (kind >= 0xc0 && kind <= 0xcf && kind !== 0xc4 && kind !== 0xc8 && kind !== 0xcc) {
      return { width: Math.max(0, window.u16(at + 7)), height: Math.max(0, window.u16(at + 5)) };
    }
    // fill bytes stand before markers (B.1.1.2)
    at += kind === 0xff ? 1 : 2 + Math.max(0, window.u16(at + 2));
  }
  return { width: 0, height: 0 };
}
