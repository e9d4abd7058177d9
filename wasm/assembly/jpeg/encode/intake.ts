/** Collects rows of pixels, or of samples, into bands of one MCU row. */

import { rowToGrey, rowToYCbCr } from '../../kernels/to_ycbcr';
import { encodeBand } from './bands';
import { SAMPLING_FULL, SAMPLING_GREY, SAMPLING_HALVED, STATUS_WANTS_FULL_CHROMA } from './constants';
import { halveRows } from './downsample';
import { Encoder } from './state';

/** Converts one row of pixels to the band's samples. Encodes the band if that completes it. */
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
    rowToYCbCr(row, width, luma, wholeBlue(encoder), wholeRed(encoder));
    takeWholeChroma(encoder);
  }
  endRow(encoder);
}

/** Like `takeRow` for 4:2:0, from a row of samples with full-size chroma. */
export function takeWholeRow(encoder: Encoder, luma: usize, blue: usize, red: usize): void {
  const width = <usize>encoder.width;
  memory.copy(encoder.luma + <usize>(encoder.bandRow * encoder.lumaStride), luma, width);
  memory.copy(wholeBlue(encoder), blue, width);
  memory.copy(wholeRed(encoder), red, width);
  takeWholeChroma(encoder);
  endRow(encoder);
}

/** Address of the row's full-width Cb, until it is halved together with the row beside it. */
// @inline
function wholeBlue(encoder: Encoder): usize {
  return encoder.pair + (encoder.bandRow & 1 ? <usize>encoder.lumaStride : 0);
}

// @inline
function wholeRed(encoder: Encoder): usize {
  return wholeBlue(encoder) + 2 * <usize>encoder.lumaStride;
}

/** Halves the chroma of two rows if this is the second of them. */
function takeWholeChroma(encoder: Encoder): void {
  // Halving reads 32 samples at a time.
  const whole = (encoder.mcusWide * encoder.mcuSize + 31) & ~31;
  padRow(wholeBlue(encoder), encoder.width, whole);
  padRow(wholeRed(encoder), encoder.width, whole);
  if (encoder.bandRow & 1) halvePair(encoder, encoder.bandRow >> 1, true);
}

/** Pads the row's luma, which is in place like its chroma. Encodes the band if that completes it. */
function endRow(encoder: Encoder): void {
  const luma = encoder.luma + <usize>(encoder.bandRow * encoder.lumaStride);
  padRow(luma, encoder.width, encoder.mcusWide * encoder.mcuSize);
  encoder.bandRow++;
  if (encoder.bandRow === encoder.mcuSize) endBand(encoder);
}

/**
 * Halves the pair of chroma rows into row `to` of the band.
 * @param both whether there is a second row; else the first counts twice
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

/** One MCU row of samples is in place, with `rows` rows of luma: pads it and encodes it. */
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
 * Repeats the last of `width` samples up to `padded`. T.81 A.2.4 leaves the fill open; this one adds no edge.
 */
function padRow(row: usize, width: i32, padded: i32): void {
  const last = load<u8>(row + <usize>(width - 1));
  memory.fill(row + <usize>width, last, <usize>(padded - width));
}
