/**
 * Samples of two macroblock rows, alternately in the upper and the lower half of each plane: the loop filter
 * changes the row above, so pixels are made with a delay. Luma has 32 rows. Chroma has 16, in which 8 samples
 * of U and the same 8 of V alternate, so that a macroblock is 16 bytes wide in both planes.
 */
import { colourRow } from './colour';
import { Decoder } from './state';

/** Bytes between rows and before the first: what prediction reads left of the picture. */
export const MARGIN: usize = 16;
export const LUMA_ROWS: usize = 32;
export const CHROMA_ROWS: usize = 16;
const LEFT_OF_PICTURE: u8 = 129;
const ABOVE_PICTURE: u8 = 127;

/**
 * Pixel rows that wait for the macroblock row below: its filter changes three rows of chroma above it, which
 * are six rows of pixels, and one more is blended with them.
 */
const DELAY: i32 = 8;

/** Prepares the planes for a read. */
export function startPlanes(decoder: Decoder): void {
  const stride = decoder.stride;
  for (let row: usize = 0; row < LUMA_ROWS; row++) {
    memory.fill(decoder.luma + row * stride - MARGIN, LEFT_OF_PICTURE, MARGIN);
  }
  for (let row: usize = 0; row < CHROMA_ROWS; row++) {
    memory.fill(decoder.chroma + row * stride - MARGIN, LEFT_OF_PICTURE, MARGIN);
  }
  const bytes = stride + MARGIN;
  memory.fill(decoder.lumaAbove - MARGIN, ABOVE_PICTURE, bytes);
  memory.fill(decoder.chromaAbove - MARGIN, ABOVE_PICTURE, bytes);
}

/**
 * Keeps the lowest row of a reconstructed, still unfiltered macroblock row: the next one is predicted from
 * it.
 */
export function keepLowestRow(decoder: Decoder): void {
  const stride = decoder.stride;
  const bytes = stride - MARGIN;
  const parity = <usize>(decoder.row & 1);
  memory.copy(decoder.lumaAbove, decoder.luma + (parity * 16 + 15) * stride, bytes);
  memory.copy(decoder.chromaAbove, decoder.chroma + (parity * 8 + 7) * stride, bytes);
  // Fills in what lies left and right of the picture, as libwebp does.
  memory.fill(decoder.lumaAbove - MARGIN, LEFT_OF_PICTURE, MARGIN);
  memory.fill(decoder.chromaAbove - MARGIN, LEFT_OF_PICTURE, MARGIN);
  const end = decoder.lumaAbove + bytes;
  memory.fill(end, load<u8>(end - 1), MARGIN);
}

/** After a macroblock row is filtered: computes which pixel rows can be made. */
export function readyRows(decoder: Decoder): void {
  const isLast = decoder.row === decoder.rows - 1;
  const end = isLast ? decoder.height : (decoder.row + 1) * 16 - DELAY;
  const from = decoder.row === 0 ? 0 : decoder.row * 16 - DELAY;
  decoder.readyTo = end;
  decoder.readyFrom = min(max(from, decoder.firstRow), end);
}

/** Makes the next ready pixel rows in `strip`; the first is row `stripY`. @returns how many */
export function emitRows(decoder: Decoder): i32 {
  const from = decoder.readyFrom;
  const to = min(decoder.readyTo, from + decoder.stripRows);
  const width = decoder.width;
  let pixels = decoder.strip;
  for (let y = from; y < to; y++) {
    const luma = decoder.luma + <usize>(y & 31) * decoder.stride;
    // Each chroma row lies between two pixel rows: the nearer one has three times the weight of the other.
    const near = y >> 1;
    const far = y & 1 ? near + 1 : near - 1;
    colourRow(pixels, width, luma, chromaRow(decoder, near), chromaRow(decoder, far));
    pixels += (<usize>width) << 2;
  }
  decoder.stripY = from;
  decoder.readyFrom = to;
  return to - from;
}

/**
 * Address of a chroma row; beyond the picture, its first or last one. A copy of the last samples follows it.
 */
function chromaRow(decoder: Decoder, y: i32): usize {
  const last = (decoder.height - 1) >> 1;
  const own = min(max(y, 0), last);
  const row = decoder.chroma + <usize>(own & 15) * decoder.stride;
  const end = (decoder.width - 1) >> 1;
  const from = row + <usize>(((end >> 3) << 4) + (end & 7));
  const after = row + <usize>((((end + 1) >> 3) << 4) + ((end + 1) & 7));
  store<u8>(after, load<u8>(from));
  store<u8>(after, load<u8>(from, 8), 8);
  return row;
}
