/** palette_mode_info (section 5.11.46): a block's colours. */
import { PALETTE_UV_MODE, PALETTE_UV_SIZE, PALETTE_Y_MODE, PALETTE_Y_SIZE } from '../cdf/offsets';
import { Mode } from '../predict/intra_block';
import { heightLog2, widthLog2 } from '../sizes';
import { aboveAt, Context, Decoder, leftAt, PALETTE_BYTES, Tile } from '../state';
import { readBool, readFlagSymbol, readLiteral, readSymbol8 } from '../symbol';

/** Bytes of a plane's 8 colours. */
export const COLOUR_BYTES: usize = 16;
/** PaletteCache: at most the colours of both neighbours. */
const cache: usize = memory.data(32, 16);

export function readPaletteModes(d: Decoder, t: Tile, row: i32): void {
  const sizeContext = <usize>(widthLog2(d.miSize) + heightLog2(d.miSize) - 2);
  if (d.yMode === Mode.Dc) {
    let context: usize = 0;
    if (d.availU && load<u8>(aboveAt(d, Context.PaletteY, d.miCol))) context++;
    if (d.availL && load<u8>(leftAt(t, Context.PaletteY, row))) context++;
    if (readFlagSymbol(t, t.cdf + PALETTE_Y_MODE + ((sizeContext * 3 + context) << 2))) {
      d.paletteSizeY = 2 + readSymbol8(t, t.cdf + PALETTE_Y_SIZE + (sizeContext << 4), 6);
      readAscending(d, t, row, 0, d.paletteSizeY);
    }
  }
  if (d.hasChroma && d.uvMode === Mode.Dc) {
    const context = <usize>(d.paletteSizeY > 0);
    if (readFlagSymbol(t, t.cdf + PALETTE_UV_MODE + (context << 2))) {
      d.paletteSizeUv = 2 + readSymbol8(t, t.cdf + PALETTE_UV_SIZE + (sizeContext << 4), 6);
      readAscending(d, t, row, 1, d.paletteSizeUv);
      readV(d, t);
    }
  }
}

/**
 * Reads the colours of Y or U: some from the neighbours, then others by their differences, all in ascending
 * order.
 */
function readAscending(d: Decoder, t: Tile, row: i32, plane: i32, size: i32): void {
  const colours = d.palette + <usize>plane * COLOUR_BYTES;
  const cached = fillCache(d, t, row, plane);
  const depth = d.bitDepth;
  const most = (1 << depth) - 1;
  let count = 0;
  for (let i = 0; i < cached && count < size; i++) {
    if (!readBool(t)) continue;
    setColour(colours, count, load<u16>(cache + ((<usize>i) << 1)));
    count++;
  }
  if (count < size) {
    let colour = readLiteral(t, depth);
    setColour(colours, count, colour);
    count++;
    let bits = count < size ? depth - 3 + readLiteral(t, 2) : 0;
    // Luma colours differ by at least 1.
    const least = plane === 0 ? 1 : 0;
    for (; count < size; count++) {
      colour = min(most, colour + readLiteral(t, bits) + least);
      setColour(colours, count, colour);
      bits = min(bits, ceilLog2(most + 1 - colour - least));
    }
  }
  sort(colours, size);
}

// @inline
function setColour(colours: usize, index: i32, colour: i32): void {
  store<u16>(colours + ((<usize>index) << 1), <u16>colour);
}

/** CeilLog2 (section 4.7) */
function ceilLog2(value: i32): i32 {
  return value < 2 ? 0 : 32 - clz(value - 1);
}

function sort(colours: usize, size: i32): void {
  for (let i: usize = 1; i < <usize>size; i++) {
    const colour = load<u16>(colours + (i << 1));
    let at = i;
    while (at > 0 && load<u16>(colours + ((at - 1) << 1)) > colour) {
      store<u16>(colours + (at << 1), load<u16>(colours + ((at - 1) << 1)));
      at--;
    }
    store<u16>(colours + (at << 1), colour);
  }
}

/** Reads the colours of V: by their differences, or each one in full. */
function readV(d: Decoder, t: Tile): void {
  const colours = d.palette + 2 * COLOUR_BYTES;
  const depth = d.bitDepth;
  if (!readBool(t)) {
    for (let i: usize = 0; i < <usize>d.paletteSizeUv; i++) {
      store<u16>(colours + (i << 1), <u16>readLiteral(t, depth));
    }
    return;
  }
  const bits = depth - 4 + readLiteral(t, 2);
  let colour = readLiteral(t, depth);
  store<u16>(colours, <u16>colour);
  for (let i: usize = 1; i < <usize>d.paletteSizeUv; i++) {
    let delta = readLiteral(t, bits);
    if (delta && readBool(t)) delta = -delta;
    colour = (colour + delta) & ((1 << depth) - 1);
    store<u16>(colours + (i << 1), <u16>colour);
  }
}

/** get_palette_cache: the neighbours' colours in ascending order, without duplicates. @returns how many */
function fillCache(d: Decoder, t: Tile, row: i32, plane: i32): i32 {
  const context = plane === 0 ? Context.PaletteY : Context.PaletteUv;
  let aboveLeft = 0;
  // Palettes from above are not used across a boundary of 64 rows.
  if (d.availU && (d.miRow & 15) !== 0) aboveLeft = <i32>load<u8>(aboveAt(d, context, d.miCol));
  let leftLeft = d.availL ? <i32>load<u8>(leftAt(t, context, row)) : 0;
  const offset = <usize>plane * COLOUR_BYTES;
  let above = d.abovePalettes + <usize>d.miCol * PALETTE_BYTES + offset;
  let left = t.leftPalettes + <usize>row * PALETTE_BYTES + offset;
  let count = 0;
  let last = -1;
  while (aboveLeft > 0 || leftLeft > 0) {
    const fromLeft = aboveLeft === 0 || (leftLeft > 0 && load<u16>(left) < load<u16>(above));
    let colour = 0;
    if (fromLeft) {
      colour = <i32>load<u16>(left);
      left += 2;
      leftLeft--;
    } else {
      colour = <i32>load<u16>(above);
      above += 2;
      aboveLeft--;
    }
    if (colour === last) continue;
    last = colour;
    store<u16>(cache + ((<usize>count) << 1), <u16>colour);
    count++;
  }
  return count;
}

/**
 * Writes the current block's palettes, for its neighbours.
 * @param row within the superblock, in 4 × 4 blocks
 */
export function keepPalettes(d: Decoder, t: Tile, row: i32): void {
  if (d.paletteSizeY === 0 && d.paletteSizeUv === 0) return;
  let at = d.abovePalettes + <usize>d.miCol * PALETTE_BYTES;
  for (let i = 0; i < d.bw4; i++, at += PALETTE_BYTES) memory.copy(at, d.palette, PALETTE_BYTES);
  at = t.leftPalettes + <usize>row * PALETTE_BYTES;
  for (let i = 0; i < d.bh4; i++, at += PALETTE_BYTES) memory.copy(at, d.palette, PALETTE_BYTES);
}
