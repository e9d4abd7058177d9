import type { Cursor } from '../cursor.ts';
import type { FactsDraft } from '../draft.ts';
import type { ColourModel } from '../facts.ts';
import { noteTrailer } from '../trailer.ts';
import { noteDescriptive, walkDirectories } from './directories.ts';
import { type Directory, Tiff } from './ifd.ts';
import type { Entry } from './ifd_entry.ts';
import * as Tag from './tags.ts';

/** Most strips or tiles that are read: in the decoded page, and again in all pages together. */
const MAX_CHUNKS = 1_048_576;

/** PhotometricInterpretation, TIFF 6.0 and its supplements. */
const PHOTOMETRIC: Readonly<Record<number, ColourModel>> = {
  0: 'grey',
  1: 'grey',
  2: 'rgb',
  3: 'palette',
  4: 'grey',
  5: 'cmyk',
  6: 'ycbcr',
  8: 'lab',
  9: 'lab',
  10: 'lab',
};
/** Compression 6, JPEG as defined in TIFF 6.0, whose data need no strips. */
const OLD_JPEG = 6;

/**
 * Scans a TIFF or BigTIFF: TIFF 6.0 (Adobe 1992), its technical notes, BigTIFF (libtiff), Exif for the child
 * directories. Yields within long runs of directories or strips.
 */
export function* scanTiff(cursor: Cursor, draft: FactsDraft): Generator<number, void> {
  const tiff = Tiff.open(cursor);
  if (tiff === null) {
    draft.fail('its header is broken');
    return;
  }
  draft.payload('tiff_file', cursor, 0, cursor.length);
  let chunks = 0;
  const { first, pages, reduced } = yield* walkDirectories(
    tiff,
    draft,
    { governs: true, file: true },
    function* (page) {
      noteDescriptive(tiff, page, draft);
      chunks += yield* claimData(tiff, page, MAX_CHUNKS - chunks);
    },
  );
  if (first === null) {
    draft.fail('its first directory lies outside the file');
    return;
  }
  draft.frames = Math.max(1, pages);
  if (reduced > 0) draft.pictures = Math.max(1, pages - reduced);
  describe(tiff, first, draft);
  const { defect, largestBytes } = yield* checkData(tiff, first);
  describeChunks(tiff, first, largestBytes, draft);
  if (defect !== null) draft.fail(defect);
  if (!isPadding(cursor, tiff.reach)) yield* noteTrailer(cursor, tiff.reach, draft);
}

/** Whether only zeros follow that pad the file to a multiple of four bytes. */
function isPadding(cursor: Cursor, start: number): boolean {
  const rest = cursor.length - start < 4 ? cursor.span(start, cursor.length) : null;
  return rest?.every((byte) => byte === 0) ?? false;
}

function describe(tiff: Tiff, { fields }: Directory, draft: FactsDraft): void {
  const number = (tag: number, otherwise: number) => {
    const value = tiff.number(fields.get(tag));
    return Number.isNaN(value) ? otherwise : value;
  };
  draft.width = number(Tag.ImageWidth, 0);
  draft.height = number(Tag.ImageLength, 0);
  draft.bitDepth = number(Tag.BitsPerSample, 1);
  draft.channels = number(Tag.SamplesPerPixel, 1);
  draft.colour = PHOTOMETRIC[number(Tag.PhotometricInterpretation, -1)] ?? 'unknown';
  // ExtraSamples 1 and 2 are alpha, premultiplied or not; 0 is unspecified
  const extra = fields.get(Tag.ExtraSamples);
  draft.hasAlpha = [1, 2].includes(tiff.number(extra));
  const icc = fields.get(Tag.ICCProfile);
  if (icc && icc.bytes > 0 && icc.at + icc.bytes <= tiff.window.length) {
    draft.colorimetry.icc = { pieces: [{ start: icc.at, end: icc.at + icc.bytes }], encoding: 'raw' };
  }
  const end = (tag: number) => {
    const entry = fields.get(tag);
    return entry ? tiff.value(entry, 0) : Number.NaN;
  };
  const isStated = end(Tag.SMinSampleValue) < end(Tag.SMaxSampleValue);
  draft.assumedRange = !isStated && draft.colour !== 'lab' && isOpenRange(number(Tag.SampleFormat, 1), draft);
}

/**
 * Whether the ends of the samples' type are not plainly black and white: signed samples (2), real numbers (3)
 * without a profile that defines them, and integers of 32 bits and more, of which few use all.
 */
function isOpenRange(format: number, { bitDepth, colorimetry }: FactsDraft): boolean {
  return format === 2 || (format === 3 && !colorimetry.icc) || (format !== 3 && bitDepth >= 32);
}

/** The fields that say where a page's data are: strips, tiles, or neither. */
function dataFields({ fields }: Directory): { offsets: Entry; lengths: Entry | undefined } | null {
  const strips = fields.get(Tag.StripOffsets);
  if (strips) return { offsets: strips, lengths: fields.get(Tag.StripByteCounts) };
  const tiles = fields.get(Tag.TileOffsets);
  return tiles ? { offsets: tiles, lengths: fields.get(Tag.TileByteCounts) } : null;
}

interface DataCheck {
  /** Why a page's data are not completely in the file, or null. */
  readonly defect: string | null;
  /** Of the largest strip or tile; 0 if there are none. */
  readonly largestBytes: number;
}

/**
 * Checks the place and length of each strip or tile. Some writers omit lengths or write 0; then only the
 * offsets are checked.
 */
function* checkData(tiff: Tiff, page: Directory): Generator<number, DataCheck> {
  const data = dataFields(page);
  if (data === null) {
    const jpeg = tiff.number(page.fields.get(Tag.JPEGInterchangeFormat));
    const old = tiff.number(page.fields.get(Tag.Compression)) === OLD_JPEG;
    const found = old && jpeg < tiff.window.length;
    return {
      defect: found ? null : 'its directory does not say where the image data lie',
      largestBytes: 0,
    };
  }
  const { offsets, lengths } = data;
  const count = Math.min(offsets.count, MAX_CHUNKS);
  const most = maxStripBytes(tiff, page);
  let largestBytes = lengths && count <= lengths.count ? 0 : tiff.window.length;
  for (let i = 0; i < count; i++) {
    if (tiff.window.meter.isDue) yield tiff.window.meter.pause();
    const start = tiff.number(offsets, i);
    const length = Math.min(tiff.number(lengths, i) || 0, most);
    if (!(start + length <= tiff.window.length)) {
      return { defect: 'its image data end before they should', largestBytes };
    }
    largestBytes = Math.max(largestBytes, length || tiff.window.length);
  }
  return { defect: null, largestBytes };
}

/**
 * How the page is divided, TIFF 6.0 sections 3, 8 and 15. Writes nothing if the stated division is
 * impossible.
 */
function describeChunks(tiff: Tiff, { fields }: Directory, largest: number, draft: FactsDraft): void {
  const number = (tag: number, otherwise: number) => {
    const value = tiff.number(fields.get(tag));
    return Number.isNaN(value) ? otherwise : value;
  };
  const tiled = fields.has(Tag.TileOffsets) || fields.has(Tag.TileWidth);
  const width = tiled ? number(Tag.TileWidth, 0) : draft.width;
  const height = tiled
    ? number(Tag.TileLength, 0)
    : Math.min(number(Tag.RowsPerStrip, draft.height), draft.height);
  if (!(width >= 1 && height >= 1)) return;
  draft.chunks = {
    width,
    height,
    compression: number(Tag.Compression, 1),
    planar: draft.channels > 1 && number(Tag.PlanarConfiguration, 1) === 2,
    largestBytes: largest + (fields.get(Tag.JPEGTables)?.bytes ?? 0),
  };
}

/**
 * The most bytes that a strip can hold: if uncompressed, those of its pixels, since some writers declare more
 * than they store; if compressed, unlimited.
 */
function maxStripBytes(tiff: Tiff, { fields }: Directory): number {
  const number = (tag: number) => tiff.number(fields.get(tag));
  const plain = number(Tag.Compression) === 1 && number(Tag.PhotometricInterpretation) !== 6;
  const rows = Math.min(number(Tag.RowsPerStrip) || number(Tag.ImageLength), number(Tag.ImageLength));
  const row = Math.ceil(
    (number(Tag.ImageWidth) * number(Tag.SamplesPerPixel) * number(Tag.BitsPerSample)) / 8,
  );
  return plain && rows * row > 0 ? rows * row : Number.POSITIVE_INFINITY;
}

/**
 * Marks a page's data as part of the file, so that bytes after them can be distinguished.
 * @param most strips or tiles that may be read
 * @returns how many were read
 */
function* claimData(tiff: Tiff, page: Directory, most: number): Generator<number, number> {
  const jpeg =
    tiff.number(page.fields.get(Tag.JPEGInterchangeFormat)) +
    tiff.number(page.fields.get(Tag.JPEGInterchangeFormatLength));
  if (jpeg > 0) tiff.claim(jpeg);
  const data = dataFields(page);
  const count = Math.min(data?.offsets.count ?? 0, most);
  for (let i = 0; i < count; i++) {
    if (tiff.window.meter.isDue) yield tiff.window.meter.pause();
    const length = tiff.number(data?.lengths, i);
    const end = tiff.number(data?.offsets, i) + length;
    if (Number.isNaN(end) || length === 0) {
      // lengths unknown: the end of the data cannot be told
      tiff.claim(tiff.window.length);
      return i;
    }
    tiff.claim(end);
  }
  return count;
}
