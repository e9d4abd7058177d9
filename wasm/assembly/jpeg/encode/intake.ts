/** Rows of pixels, or of samples, to bands of one MCU row. */

import { rowToGrey, rowToYCbCr } from '../../kernels/to_ycbcr';
import { encodeBand } from './bands';
import { SAMPLING_FULL, SAMPLING_GREY, SAMPLING_HALVED, STATUS_WANTS_FULL_CHROMA } from './constants';
import { halveRows } from './downsample';
import { Encoder } from './state';

/** One row of pixels to the band's samples; encodes the band when that completes it. */
export function takeRow(encoder: Encoder, row: usize): void {
  const width = encoder.width;
  const bandRow = encoder.bandRow;
  const padded = encoder.mcusWide * encoder.mcuSize;
  const luma = encoder.luma + <usize>(bandRow * encoder.lumaStride);
  if (encoder.sampling === SAMPLING_GREY) {
    rowToGrey(row, width, luma);
  } else if (encoder.sampling === SAMPLING_FULL) {
    const at = <usize>(bandRow * encoder.chromaStride);
    rowToYCbCr(row, width, luma, encoder.blue + at, encoder.red + at);
    padRow(encoder.blue + at, width, padded);
    padRow(encoder.red + at, width, padded);
  } else {
    const stride = <usize>encoder.lumaStride;
    const blue = encoder.pair + (bandRow & 1 ? stride : 0);
    const red = blue + 2 * stride;
    rowToYCbCr(row, width, luma, blue, red);
    // Halving looks at 32 samples at a time.
    const whole = (padded + 31) & ~31;
    padRow(blue, width, whole);
    padRow(red, width, whole);
    if (bandRow & 1) halvePair(encoder, bandRow >> 1, true);
  }
  padRow(luma, width, padded);
  encoder.bandRow++;
  if (encoder.bandRow === encoder.mcuSize) endBand(encoder);
}

/**
 * The pair of chroma rows to row `to` of the band. @param both the second row is there, else the first counts
 * twice
 */
function halvePair(encoder: Encoder, to: i32, both: bool): void {
  const stride = <usize>encoder.lumaStride;
  const second = both ? stride : 0;
  const width = encoder.mcusWide << 3;
  const at = <usize>(to * encoder.chromaStride);
  const pair = encoder.pair;
  const edge = encoder.sharpEdge;
  encoder.sharpQuads += halveRows(pair, pair + second, encoder.blue + at, width, edge);
  const red = pair + 2 * stride;
  encoder.sharpQuads += halveRows(red, red + second, encoder.red + at, width, edge);
}

/** Fills the band's missing rows by repeating the last ones, then encodes it. */
export function endBand(encoder: Encoder): void {
  const rows = encoder.bandRow;
  if (rows < encoder.mcuSize) {
    repeatRows(encoder.luma, encoder.lumaStride, rows, encoder.mcuSize, encoder.mcusWide * encoder.mcuSize);
    if (encoder.sampling !== SAMPLING_GREY) {
      if (encoder.sampling === SAMPLING_HALVED && rows & 1) halvePair(encoder, rows >> 1, false);
      const chromaRows = encoder.sampling === SAMPLING_HALVED ? (rows + 1) >> 1 : rows;
      repeatRows(encoder.blue, encoder.chromaStride, chromaRows, 8, encoder.mcusWide << 3);
      repeatRows(encoder.red, encoder.chromaStride, chromaRows, 8, encoder.mcusWide << 3);
    }
  }
  encoder.bandRow = 0;
  if (encoder.sharpLimit >= 0 && encoder.sharpQuads > encoder.sharpLimit) {
    encoder.status = STATUS_WANTS_FULL_CHROMA;
    return;
  }
  encodeBand(encoder);
}

function repeatRows(plane: usize, stride: i32, rows: i32, end: i32, padded: i32): void {
  const last = plane + <usize>((rows - 1) * stride);
  for (let row = rows; row < end; row++) memory.copy(plane + <usize>(row * stride), last, <usize>padded);
}

function padRows(plane: usize, stride: i32, rows: i32, width: i32, padded: i32): void {
  for (let row = 0; row < rows; row++) padRow(plane + <usize>(row * stride), width, padded);
}

/** One MCU row of samples is in place, `rows` rows of luma: fills the rest, and encodes it. */
export function takeSamples(encoder: Encoder, rows: i32): void {
  const halved = encoder.sampling === SAMPLING_HALVED;
  const padded = encoder.mcusWide * encoder.mcuSize;
  padRows(encoder.luma, encoder.lumaStride, rows, encoder.width, padded);
  repeatRows(encoder.luma, encoder.lumaStride, rows, encoder.mcuSize, padded);
  if (encoder.sampling !== SAMPLING_GREY) {
    const width = halved ? (encoder.width + 1) >> 1 : encoder.width;
    const chromaRows = halved ? (rows + 1) >> 1 : rows;
    const chromaPadded = encoder.mcusWide << 3;
    padRows(encoder.blue, encoder.chromaStride, chromaRows, width, chromaPadded);
    padRows(encoder.red, encoder.chromaStride, chromaRows, width, chromaPadded);
    repeatRows(encoder.blue, encoder.chromaStride, chromaRows, 8, chromaPadded);
    repeatRows(encoder.red, encoder.chromaStride, chromaRows, 8, chromaPadded);
  }
  encodeBand(encoder);
}

/**
 * Repeats the last of `width` samples up to `padded` (T.81 A.2.4 leaves the fill open; this adds no edge).
 */
function padRow(row: usize, width: i32, padded: i32): void {
  const last = load<u8>(row + <usize>(width - 1));
  memory.fill(row + <usize>width, last, <usize>(padded - width));
}
