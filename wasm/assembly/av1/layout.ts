/** All memory of a decoder: one part reserved by opening, and one that depends on the picture. */
import { allocated, beginLayout, endCounting, isCounting, isLaidOut, reserve } from '../memory';
import { CDF_BYTES } from './cdf/offsets';
import { reserveWindow, windowBytes } from './filter/window';
import {
  MAX_SEGMENTS,
  MI_BYTES,
  Plane,
  quadAt,
  SEG_FEATURES,
  StaticQuad,
  setQuad,
  UNIT_BYTES,
} from './frame';
import { filmGrainBytes } from './grain/params';
import { MAX_TILES } from './header/tiles';
import { IntraBlock } from './predict/intra_block';
import {
  CONTEXTS,
  DECODED_ROWS,
  Decoder,
  LEFT_BYTES,
  PALETTE_BYTES,
  RESTORATION_BYTES,
  Tile,
  VECTOR_BYTES,
  VECTOR_ROWS_ABOVE,
} from './state';

/** Extra bytes of an array of contexts past the picture's last column: the width of a block and of a load. */
const CONTEXT_SLACK: usize = 64;
/** 4 × 4 blocks down a superblock of 128. */
const LEFT_PALETTES: usize = 32;
const MAX_OPERATING_POINTS: usize = 32;
const MOST_COEFFICIENTS: usize = 1024;
/** Entries of `magnitudes`: 32 rows and columns with their margins, plus the width of a load. */
const MAGNITUDES: usize = 36 * 36 + 8;
const COLOUR_MAP: usize = 64 * 64;
const MI_PER_BLOCK: usize = 32 * 32;

/** Reserves and clears what reading headers needs. @returns the decoder, 0 without memory */
export function allocateDecoder(): usize {
  beginLayout(false);
  const at = reserve(offsetof<Decoder>());
  if (at === 0) return 0;
  memory.fill(at, 0, offsetof<Decoder>());
  const d = changetype<Decoder>(at);
  d.y = changetype<Plane>(reserve(offsetof<Plane>()));
  d.u = changetype<Plane>(reserve(offsetof<Plane>()));
  d.v = changetype<Plane>(reserve(offsetof<Plane>()));
  d.loopFilterLevel = reserveQuad();
  d.restorationType = reserveQuad();
  d.restorationSize = reserveQuad();
  d.unitColumns = reserveQuad();
  d.unitRows = reserveQuad();
  d.restorationUnits = reserveQuad();
  d.featureEnabled = reserve(MAX_SEGMENTS * SEG_FEATURES);
  d.featureData = reserve(MAX_SEGMENTS * SEG_FEATURES * 2);
  d.segmentLossless = reserve(MAX_SEGMENTS);
  d.segmentQIndex = reserve(MAX_SEGMENTS * 4);
  d.cdefYPrimary = reserve(8);
  d.cdefYSecondary = reserve(8);
  d.cdefUvPrimary = reserve(8);
  d.cdefUvSecondary = reserve(8);
  d.filmGrainMemory = reserve(filmGrainBytes());
  d.operatingPointTable = reserve(MAX_OPERATING_POINTS * 4);
  d.tileColumnStarts = reserve((MAX_TILES + 1) * 4);
  d.tileRowStarts = reserve((MAX_TILES + 1) * 4);
  return isLaidOut() ? at : 0;
}

function reserveQuad(): StaticQuad {
  return changetype<StaticQuad>(reserve(offsetof<StaticQuad>()));
}

/** Reserves what decoding needs, after the headers were read. @returns false without memory */
export function allocatePicture(d: Decoder): bool {
  beginLayout(false);
  layOut(d);
  return isLaidOut() && reserveWindow(d);
}

/** Exact number of bytes that allocatePicture reserves. */
export function pictureBytes(d: Decoder): u64 {
  beginLayout(true);
  layOut(d);
  return endCounting() + <u64>allocated(windowBytes(d));
}

function layOut(d: Decoder): void {
  const columns = d.superblockColumns * d.superblockMi;
  d.aboveStride = <usize>columns + CONTEXT_SLACK;
  d.above = reserve(CONTEXTS * d.aboveStride);
  d.miStride = columns;
  d.mapStride = columns;
  d.mi = reserve(<usize>(columns * d.superblockMi) * MI_BYTES);
  d.cdefStride = columns >> 4;
  d.cdefIndex = reserve(<usize>(d.cdefStride * (d.superblockMi >> 4)));
  d.decoded = reserve(3 * DECODED_ROWS * 8);
  d.steps = reserve(MAX_SEGMENTS * 12);
  d.levels = reserve(MAX_SEGMENTS * 4);
  d.coefficients = reserve(MOST_COEFFICIENTS * 4);
  d.magnitudes = reserve(MAGNITUDES * 2);
  d.found = reserve(MOST_COEFFICIENTS * 4);
  d.intra = changetype<IntraBlock>(reserve(offsetof<IntraBlock>()));
  if (d.segmentationEnabled) d.segments = reserve(<usize>(columns * (d.superblockMi + 1)));
  if (d.allowScreenContentTools) {
    d.abovePalettes = reserve((<usize>columns + 1) * PALETTE_BYTES);
    d.palette = reserve(3 * 16);
    d.colourMapY = reserve(COLOUR_MAP);
    d.colourMapUv = reserve(COLOUR_MAP);
  }
  if (d.allowIntrabc) {
    d.vectors = reserve(<usize>(columns * (d.superblockMi + VECTOR_ROWS_ABOVE)) * VECTOR_BYTES);
    d.txTypes = reserve(MI_PER_BLOCK);
    d.interTxSizes = reserve(MI_PER_BLOCK);
    d.stack = reserve(8 * 12);
  }
  for (let plane = 0; plane < d.planeCount; plane++) {
    const units = <usize>(quadAt(d.unitColumns, plane) * quadAt(d.unitRows, plane));
    const at = reserve(units * UNIT_BYTES);
    if (!isCounting()) setQuad(d.restorationUnits, plane, <i32>at);
  }
  d.tiles = reserve(<usize>d.tileColumns * TILE_BYTES);
  if (!isLaidOut()) return;
  for (let i = 0; i < d.tileColumns; i++) layOutTile(d, i);
  // Contexts that only some pictures write are read in all of them.
  memory.fill(d.above, 0, CONTEXTS * d.aboveStride);
}

const HEAD_BYTES: usize = (offsetof<Tile>() + 15) & ~15;
/** Bytes of a tile column, which holds everything that is known about it. */
export const TILE_BYTES: usize =
  HEAD_BYTES +
  ((CDF_BYTES + 15) & ~15) +
  CONTEXTS * LEFT_BYTES +
  LEFT_PALETTES * PALETTE_BYTES +
  16 +
  ((3 * RESTORATION_BYTES + 15) & ~15);

/** The tile column with this index. */
export function tileAt(d: Decoder, index: i32): Tile {
  return changetype<Tile>(d.tiles + <usize>index * TILE_BYTES);
}

function layOutTile(d: Decoder, index: i32): void {
  const t = tileAt(d, index);
  let at = changetype<usize>(t) + HEAD_BYTES;
  t.cdf = at;
  at += (CDF_BYTES + 15) & ~15;
  t.left = at;
  memory.fill(at, 0, CONTEXTS * LEFT_BYTES);
  at += CONTEXTS * LEFT_BYTES;
  t.leftPalettes = at;
  at += LEFT_PALETTES * PALETTE_BYTES;
  t.deltaLf = at;
  t.restoration = at + 16;
}
