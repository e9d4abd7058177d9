/**
 * The alpha decoder's exports: open (header, all memory), restart, row (the next row of alpha), merge (rows
 * of alpha into rows of RGBA). It runs in lockstep with the decoder of the colours. Host side:
 * src/core/webp/alpha.ts.
 */
import { alloc } from '../../memory';
import { startBits } from '../vp8l/decode/bits';
import * as LosslessFault from '../vp8l/decode/faults';
import { readGreenRow } from '../vp8l/decode/green';
import { Group } from '../vp8l/decode/group';
import { readHeader } from '../vp8l/decode/header';
import { EntropyImage, nextRow } from '../vp8l/decode/image';
import { indexGreenRow } from '../vp8l/decode/index_colours';
import { readRow } from '../vp8l/decode/pixels';
import { rewind } from '../vp8l/decode/rewind';
import { untransform } from '../vp8l/decode/rows';
import {
  createLossless,
  Lossless,
  reserveRing,
  reserveRows,
  ringTakes,
  rowsTake,
  stateBytes,
  TransformKind,
  transformAt,
} from '../vp8l/decode/state';
import { AlphaPlane, ROW_SLACK } from './state';
import { unfilterRow } from './unfilter';

/** Log2 of the bytes per pixel in the ring: if only green varies, and if not. */
const NARROW: u32 = 0;
const WIDE: u32 = 2;

/** The chunk's first byte: compression in bits 0 and 1, then filter, preprocessing and reserved bits. */
const COMPRESSED: u32 = 1;
/** Preprocessing 1 means that levels were reduced, which a decoder need not undo. */
const MAX_PREPROCESSING: u32 = 1;

/**
 * Reads everything before the alpha of the ALPH chunk whose payload is at [at, at + length), and reserves all
 * memory for reading it.
 * @param width of the frame, 1 to 16384, as is `height`: the chunk does not tell
 * @param sideLimit as in webpLosslessOpen
 * @returns the decoder, to be checked with webpAlphaFault first; 0 when there is no memory for it
 */
export function webpAlphaOpen(at: usize, length: usize, width: i32, height: i32, sideLimit: usize): usize {
  const decoder = alloc(offsetof<AlphaPlane>());
  const rows = alloc(2 * rowStride(width));
  if (decoder === 0 || rows === 0) return 0;
  memory.fill(decoder, 0, offsetof<AlphaPlane>());
  const plane = changetype<AlphaPlane>(decoder);
  plane.width = width;
  plane.height = height;
  plane.row = rows;
  plane.other = rows + rowStride(width);
  const header: u32 = length > 0 ? load<u8>(at) : 0xff;
  plane.filter = (header >> 2) & 3;
  if ((header & 3) > COMPRESSED || header >> 4 > MAX_PREPROCESSING) {
    plane.fault = LosslessFault.BAD_ALPHA_HEADER;
  } else if ((header & 3) !== COMPRESSED) {
    plane.raw = at + 1;
    if (length - 1 < <usize>width * height) plane.fault = LosslessFault.TRUNCATED;
  } else {
    const state = createLossless(width, height, sideLimit);
    if (state === 0) return 0;
    plane.lossless = changetype<Lossless>(state);
    openCompressed(plane, changetype<Lossless>(state), at + 1, length - 1);
  }
  return decoder;
}

function rowStride(width: i32): usize {
  return ((<usize>width + 15) & ~15) + ROW_SLACK;
}

/** Opens a VP8L stream without signature, size and version, whose green is alpha. */
function openCompressed(plane: AlphaPlane, lossless: Lossless, at: usize, length: usize): void {
  startBits(lossless.reader, at, length);
  if (!reserveRing(lossless, NARROW) || !readHeader(lossless)) return;
  plane.narrow = onlyGreenVaries(lossless);
  // A side image may have required the large ring before: then the whole plane counts as wide.
  if (!plane.narrow && lossless.ringShift !== WIDE && !reserveRing(lossless, WIDE)) return;
  if (lossless.ringShift === WIDE && !reserveRows(lossless)) return;
  lossless.main.shift = plane.narrow ? NARROW : WIDE;
  rewind(lossless);
}

/**
 * Whether pixels differ only in green, and no transform but colour indexing is used, which only needs green.
 * libwebp's encoder writes nearly every plane like this.
 */
function onlyGreenVaries(lossless: Lossless): bool {
  const main = lossless.main;
  if (main.cacheBits > 0 || lossless.transformCount > 1) return false;
  if (lossless.transformCount === 1 && transformAt(lossless, 0).kind !== TransformKind.ColourIndexing) {
    return false;
  }
  if (!main.blocks) return main.group.greenOnly;
  return everyGroupGreenOnly(main);
}

function everyGroupGreenOnly(image: EntropyImage): bool {
  for (let at = image.groups; at < image.groupsEnd; at += 4) {
    const group = load<usize>(at);
    if (group !== 0 && !changetype<Group>(group).greenOnly) return false;
  }
  return true;
}

/** The first fault met, 0 if none. */
export function webpAlphaFault(decoder: usize): i32 {
  const plane = changetype<AlphaPlane>(decoder);
  const lossless = plane.lossless;
  return lossless == null ? plane.fault : lossless.fault;
}

/** The row that comes next; error messages name it. */
export function webpAlphaRowReached(decoder: usize): i32 {
  return changetype<AlphaPlane>(decoder).y;
}

/** Goes back to the first row. */
export function webpAlphaRestart(decoder: usize): void {
  const plane = changetype<AlphaPlane>(decoder);
  plane.y = 0;
  const lossless = plane.lossless;
  if (lossless != null) rewind(lossless);
}

/**
 * Decodes the next row.
 * @returns the address of its bytes, valid until the row after next; 0 on a fault or after the last row
 */
export function webpAlphaRow(decoder: usize): usize {
  const plane = changetype<AlphaPlane>(decoder);
  if (webpAlphaFault(decoder) !== LosslessFault.NONE || plane.y >= plane.height) return 0;
  const row = plane.other;
  const lossless = plane.lossless;
  if (lossless == null) {
    memory.copy(row, plane.raw + <usize>plane.width * plane.y, plane.width);
  } else if (!(plane.narrow ? narrowRow(plane, lossless, row) : wideRow(plane, lossless, row))) {
    return 0;
  }
  unfilterRow(plane.filter, plane.y, plane.width, row, plane.row);
  plane.other = plane.row;
  plane.row = row;
  plane.y++;
  return row;
}

function narrowRow(plane: AlphaPlane, lossless: Lossless, to: usize): bool {
  const main = lossless.main;
  lossless.fault = readGreenRow(main, lossless.reader);
  if (lossless.fault !== LosslessFault.NONE) return false;
  if (lossless.transformCount > 0) {
    const packing = transformAt(lossless, 0).bits;
    indexGreenRow(lossless.colourTable, packing, plane.width, main.rowAt, to);
  } else {
    memory.copy(to, main.rowAt, plane.width);
  }
  nextRow(main);
  return true;
}

function wideRow(plane: AlphaPlane, lossless: Lossless, to: usize): bool {
  const main = lossless.main;
  lossless.fault = readRow(main, lossless.reader);
  if (lossless.fault !== LosslessFault.NONE) return false;
  let from = untransform(lossless, main.rowAt, main.y, 0);
  for (const end = to + plane.width; to < end; to++, from += 4) store<u8>(to, load<u8>(from, 1));
  nextRow(main);
  return true;
}

/**
 * Decodes the next `rows` rows into the alpha of the RGBA rows at `pixels`.
 * @returns false on a fault, or if fewer rows are left
 */
export function webpAlphaMerge(decoder: usize, pixels: usize, rows: i32): bool {
  const width = changetype<AlphaPlane>(decoder).width;
  for (let i = 0; i < rows; i++) {
    let row = webpAlphaRow(decoder);
    if (row === 0) return false;
    for (const end = pixels + ((<usize>width) << 2); pixels < end; pixels += 4, row++) {
      store<u8>(pixels, load<u8>(row), 3);
    }
  }
  return true;
}

/** Whether the plane is compressed in a way that needs four bytes per pixel. */
export function webpAlphaWide(decoder: usize): bool {
  const plane = changetype<AlphaPlane>(decoder);
  const lossless = plane.lossless;
  return lossless != null && lossless.ringShift === WIDE;
}

/** Bytes reserved for what the header declares. */
export function webpAlphaSideBytes(decoder: usize): usize {
  const lossless = changetype<AlphaPlane>(decoder).lossless;
  return lossless == null ? 0 : lossless.sideBytes;
}

/**
 * Bytes that a decoder takes in addition: those that only the picture's size decides.
 * @param compressed whether the chunk's first byte says so
 * @param wide `webpAlphaWide`; true for the worst case
 */
export function webpAlphaFixedBytes(width: i32, height: i32, compressed: bool, wide: bool): usize {
  let bytes = ((offsetof<AlphaPlane>() + 15) & ~15) + 2 * rowStride(width);
  if (compressed) bytes += stateBytes() + ringTakes(width, height, NARROW);
  if (compressed && wide) bytes += ringTakes(width, height, WIDE) + rowsTake(width);
  return bytes;
}
