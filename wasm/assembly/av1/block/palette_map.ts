/** palette_tokens (section 5.11.49): the colour index of each sample, along diagonals. */
import {
  PALETTE_UV_COLOUR_2,
  PALETTE_UV_COLOUR_3,
  PALETTE_UV_COLOUR_4,
  PALETTE_UV_COLOUR_5,
  PALETTE_UV_COLOUR_6,
  PALETTE_UV_COLOUR_7,
  PALETTE_UV_COLOUR_8,
  PALETTE_Y_COLOUR_2,
  PALETTE_Y_COLOUR_3,
  PALETTE_Y_COLOUR_4,
  PALETTE_Y_COLOUR_5,
  PALETTE_Y_COLOUR_6,
  PALETTE_Y_COLOUR_7,
  PALETTE_Y_COLOUR_8,
} from '../cdf/offsets';
import { Decoder, Tile } from '../state';
import { readFlagSymbol, readSymbol4, readSymbol8, readUniform } from '../symbol';

/** Bytes from a row of the map to the next. */
export const MAP_STRIDE: usize = 64;

/** Offsets of the distributions for 2 to 8 colours: for Y, then for U and V. */
const TABLES: usize = memory.data<u16>([
  <u16>PALETTE_Y_COLOUR_2,
  <u16>PALETTE_Y_COLOUR_3,
  <u16>PALETTE_Y_COLOUR_4,
  <u16>PALETTE_Y_COLOUR_5,
  <u16>PALETTE_Y_COLOUR_6,
  <u16>PALETTE_Y_COLOUR_7,
  <u16>PALETTE_Y_COLOUR_8,
  <u16>PALETTE_UV_COLOUR_2,
  <u16>PALETTE_UV_COLOUR_3,
  <u16>PALETTE_UV_COLOUR_4,
  <u16>PALETTE_UV_COLOUR_5,
  <u16>PALETTE_UV_COLOUR_6,
  <u16>PALETTE_UV_COLOUR_7,
  <u16>PALETTE_UV_COLOUR_8,
]);
/** ColorOrder: the colours, likeliest first. */
const order: usize = memory.data(8, 8);

/** Reads the maps of the current block. */
export function readPaletteMaps(d: Decoder, t: Tile): void {
  let width = d.bw4 << 2;
  let height = d.bh4 << 2;
  let seenWidth = min(width, (d.miCols - d.miCol) << 2);
  let seenHeight = min(height, (d.miRows - d.miRow) << 2);
  if (d.paletteSizeY) readMap(t, d.colourMapY, d.paletteSizeY, 0, width, height, seenWidth, seenHeight);
  if (!d.paletteSizeUv) return;
  width >>= d.subX;
  height >>= d.subY;
  seenWidth >>= d.subX;
  seenHeight >>= d.subY;
  if (width < 4) {
    width += 2;
    seenWidth += 2;
  }
  if (height < 4) {
    height += 2;
    seenHeight += 2;
  }
  readMap(t, d.colourMapUv, d.paletteSizeUv, 7, width, height, seenWidth, seenHeight);
}

function readMap(
  t: Tile,
  map: usize,
  colours: i32,
  firstTable: i32,
  width: i32,
  height: i32,
  seenWidth: i32,
  seenHeight: i32,
): void {
  const table = t.cdf + <usize>load<u16>(TABLES + ((<usize>(firstTable + colours - 2)) << 1));
  const log2Bytes: usize = colours === 2 ? 2 : colours <= 4 ? 3 : 4;
  store<u8>(map, <u8>readUniform(t, colours));
  for (let i = 1; i < seenHeight + seenWidth - 1; i++) {
    const lowest = max(0, i - seenHeight + 1);
    for (let column = min(i, seenWidth - 1); column >= lowest; column--) {
      const row = i - column;
      const at = map + <usize>row * MAP_STRIDE + <usize>column;
      const context = orderColours(at, row, column);
      const cdf = table + (context << log2Bytes);
      let symbol = 0;
      if (colours === 2) symbol = readFlagSymbol(t, cdf);
      else if (colours <= 4) symbol = readSymbol4(t, cdf, colours - 1);
      else symbol = readSymbol8(t, cdf, colours - 1);
      store<u8>(at, load<u8>(order + <usize>symbol));
    }
  }
  for (let row = 0; row < seenHeight && seenWidth < width; row++) {
    const at = map + <usize>row * MAP_STRIDE + <usize>seenWidth;
    memory.fill(at, load<u8>(at - 1), <usize>(width - seenWidth));
  }
  const last = map + <usize>(seenHeight - 1) * MAP_STRIDE;
  for (let row = seenHeight; row < height; row++) {
    memory.copy(map + <usize>row * MAP_STRIDE, last, <usize>width);
  }
}

/**
 * get_palette_color_context: sorts the colours: first the neighbours', most frequent first, then all others
 * in order.
 * @returns the context, 0 to 4 (Palette_Color_Context)
 */
function orderColours(at: usize, row: i32, column: i32): usize {
  store<u64>(order, 0x0706050403020100);
  if (row === 0) return single(load<u8>(at - 1));
  if (column === 0) return single(load<u8>(at - MAP_STRIDE));
  const left = load<u8>(at - 1);
  const above = load<u8>(at - MAP_STRIDE);
  const corner = load<u8>(at - MAP_STRIDE - 1);
  if (left === above) {
    toFront(left, 0);
    if (corner === left) return 4;
    toFront(corner, 1);
    return 3;
  }
  if (corner === left || corner === above) {
    toFront(corner, 0);
    toFront(corner === left ? above : left, 1);
    return 2;
  }
  // Both count 2: the lower colour comes first.
  toFront(min(left, above), 0);
  toFront(max(left, above), 1);
  toFront(corner, 2);
  return 1;
}

function single(colour: u8): usize {
  toFront(colour, 0);
  return 0;
}

/** Moves a colour forward to a place; those from there on move back by one. */
function toFront(colour: u8, place: usize): void {
  let at = place;
  while (load<u8>(order + at) !== colour) at++;
  for (; at > place; at--) store<u8>(order + at, load<u8>(order + at - 1));
  store<u8>(order + place, colour);
}
