/**
 * The JPEG encoder's exports: begin, push (as often as there are rows), finish. Baseline sequential, one
 * interleaved scan, optimised Huffman tables, from a single read of the pixels: blocks are kept as tokens
 * (tokens.ts) until the image ends or the token memory is full. Then the tables are made from the counts so
 * far and everything is written. Output goes to the host in pieces.
 *
 * All memory is reserved by begin, and the memory does not grow later. So rows can be pushed from where they
 * lie in it, and the host's views of it stay valid.
 */

import { flattenPixels } from '../../kernels/pixels';
import { beginLayout, endCounting, isLaidOut, reserve } from '../../memory';
import { SEGMENT_BYTES } from './bands';
import { CODES_BYTES, finishBits, OUTPUT_BYTES, RING_BYTES, writeTokens } from './bits';
import { SAMPLING_GREY, SAMPLING_HALVED, STATUS_OK } from './constants';
import { endBand, takeRow, takeSamples, takeWholeRow } from './intake';
import { PRICES_BYTES } from './prices';
import { fillQuantisation, fillSwizzles, QUANT_BYTES } from './quantise';
import { Encoder, STATISTICS_BYTES } from './state';
import { beginWriting } from './tables';
import { fillTokens } from './tokens';

/** Bytes that may be read and written past the end of a row. */
const SLACK: i32 = 64;

function layOut(encoder: Encoder, width: i32, sampling: i32, tokenBytes: usize): void {
  const mcuSize = sampling === SAMPLING_HALVED ? 16 : 8;
  const mcusWide = (width + mcuSize - 1) / mcuSize;
  const padded = mcusWide * mcuSize;
  const lumaStride = ((padded + 15) & ~15) + SLACK;
  const chromaStride = (((sampling === SAMPLING_HALVED ? padded >> 1 : padded) + 15) & ~15) + SLACK;
  encoder.mcuSize = mcuSize;
  encoder.mcusWide = mcusWide;
  encoder.lumaStride = lumaStride;
  encoder.chromaStride = chromaStride;
  encoder.luma = reserve(lumaStride * mcuSize);
  encoder.quantLuma = reserve(QUANT_BYTES);
  encoder.statistics = reserve(2 * STATISTICS_BYTES);
  encoder.codes = reserve(2 * CODES_BYTES);
  encoder.ring = reserve(RING_BYTES + SLACK);
  encoder.segment = reserve(SEGMENT_BYTES);
  encoder.output = reserve(OUTPUT_BYTES);
  encoder.prices = reserve(2 * PRICES_BYTES);
  encoder.tokens = reserve(tokenBytes);
  if (sampling !== SAMPLING_GREY) {
    encoder.blue = reserve(chromaStride * 8);
    encoder.red = reserve(chromaStride * 8);
    encoder.quantChroma = reserve(QUANT_BYTES);
  }
  if (sampling === SAMPLING_HALVED) encoder.pair = reserve(lumaStride * 4);
}

/** Bytes that an encoder holds. */
export function jpegEncodeBytes(width: i32, sampling: i32, tokenBytes: usize): usize {
  beginLayout(true);
  reserve(offsetof<Encoder>());
  layOut(changetype<Encoder>(COUNTING), width, sampling, tokenBytes);
  return <usize>endCounting();
}
const COUNTING: usize = memory.data(offsetof<Encoder>(), 16);

/**
 * Starts an image.
 * @param width 1 to 65535; `height` likewise
 * @param sampling a SAMPLING of constants.ts
 * @param quality 1 to 100
 * @param sharpLimit how many sharp quads of pixels (downsample.ts) 4:2:0 may have; negative for no limit
 * @param sharpEdge difference within a quad from which on it counts as sharp, 1 to 255
 * @param tokenBytes memory for tokens waiting to be written
 * @returns the encoder, or 0 when there is no memory for it
 */
export function jpegEncodeBegin(
  width: i32,
  height: i32,
  sampling: i32,
  quality: i32,
  sharpLimit: i32,
  sharpEdge: i32,
  tokenBytes: usize,
): usize {
  fillSwizzles();
  fillTokens();
  beginLayout(false);
  const at = reserve(offsetof<Encoder>());
  if (at === 0) return 0;
  memory.fill(at, 0, offsetof<Encoder>());
  const encoder = changetype<Encoder>(at);
  encoder.width = width;
  encoder.height = height;
  encoder.sampling = sampling;
  encoder.blocksWide = (width + 7) >> 3;
  encoder.blocksHigh = (height + 7) >> 3;
  layOut(encoder, width, sampling, tokenBytes);
  if (!isLaidOut()) return 0;
  fillQuantisation(encoder.quantLuma, false, false, quality);
  if (sampling !== SAMPLING_GREY) {
    fillQuantisation(encoder.quantChroma, true, sampling === SAMPLING_HALVED, quality);
  }
  memory.fill(encoder.statistics, 0, 2 * STATISTICS_BYTES);
  encoder.sharpLimit = sharpLimit;
  encoder.sharpEdge = sharpEdge;
  encoder.ringAt = encoder.ring;
  encoder.free = 64;
  encoder.tokensAt = encoder.tokens;
  encoder.tokensEnd = encoder.tokens;
  encoder.tokensLimit = encoder.tokens + tokenBytes;
  return at;
}

/**
 * Takes `rows` rows of RGBA at `at`.
 * @param flatten lay them over white first, in place
 * @returns a STATUS of constants.ts
 */
export function jpegEncodePush(encoder: Encoder, at: usize, rows: i32, flatten: bool): i32 {
  const width = encoder.width;
  if (flatten) flattenPixels(at, width * rows);
  for (let i = 0; i < rows; i++) {
    const row = at + ((<usize>(i * width)) << 2);
    takeRow(encoder, row);
    if (encoder.status !== STATUS_OK) return encoder.status;
  }
  return STATUS_OK;
}

/**
 * From now on, a component's samples are read at `at`, in rows of whole MCUs that are `stride` bytes apart.
 */
export function jpegEncodeReadPlane(encoder: Encoder, component: i32, at: usize, stride: i32): void {
  if (component === 0) {
    encoder.luma = at;
    encoder.lumaStride = stride;
    return;
  }
  if (component === 1) encoder.blue = at;
  else encoder.red = at;
  encoder.chromaStride = stride;
}

/**
 * Takes one MCU row of samples instead of pixels: `rows` rows of luma, fewer than an MCU has only at the
 * image's end, and chroma rows according to the sampling. Padding beyond the image's edges is written in
 * place.
 * @returns a STATUS of constants.ts
 */
export function jpegEncodePlanes(encoder: Encoder, rows: i32): i32 {
  takeSamples(encoder, rows);
  return encoder.status;
}

/**
 * Takes `rows` rows of samples with full-size chroma, which is halved here. For 4:2:0 only.
 * @param stride bytes from row to row
 * @returns a STATUS of constants.ts
 */
export function jpegEncodeWhole(
  encoder: Encoder,
  rows: i32,
  luma: usize,
  blue: usize,
  red: usize,
  stride: usize,
): i32 {
  for (let i = 0; i < rows; i++) {
    const at = <usize>i * stride;
    takeWholeRow(encoder, luma + at, blue + at, red + at);
    if (encoder.status !== STATUS_OK) return encoder.status;
  }
  return STATUS_OK;
}

/**
 * Writes some of the tokens that wait for the tables, if the token memory will probably not hold those of
 * `rows` more rows. Otherwise a single push would have to write all of them, which takes long.
 * @param rows 0 when the image has ended
 * @param most bytes of tokens to write, approximately
 * @returns bytes of tokens that are still to be written before these rows
 */
export function jpegEncodeWriteTokens(encoder: Encoder, rows: i32, most: usize): usize {
  if (encoder.status !== STATUS_OK) return 0;
  if (rows === 0 && encoder.bandRow > 0) {
    endBand(encoder);
    if (encoder.status !== STATUS_OK) return 0;
  }
  if (!encoder.writing) {
    if (rows > 0 && hasRoom(encoder, rows)) return 0;
    beginWriting(encoder, rows > 0);
  }
  const end = min(encoder.tokensEnd, encoder.tokensAt + most);
  encoder.tokensAt = writeTokens(encoder, encoder.tokensAt, end);
  return encoder.tokensEnd - encoder.tokensAt;
}

/** Whether the next rows' tokens fit, assuming at most twice as many per row as so far. */
function hasRoom(encoder: Encoder, rows: i32): bool {
  const taken = encoder.bandIndex * encoder.mcuSize;
  if (taken === 0) return true;
  const bytes = <f64>(encoder.tokensEnd - encoder.tokens);
  const expected = (2 * bytes * <f64>(encoder.bandRow + rows)) / <f64>taken;
  return bytes + expected <= <f64>(encoder.tokensLimit - encoder.tokens);
}

/** Ends the image. All its rows must have been pushed. @returns a STATUS of constants.ts */
export function jpegEncodeFinish(encoder: Encoder): i32 {
  if (encoder.bandRow > 0) endBand(encoder);
  if (encoder.status !== STATUS_OK) return encoder.status;
  if (!encoder.writing) beginWriting(encoder, false);
  encoder.tokensAt = writeTokens(encoder, encoder.tokensAt, encoder.tokensEnd);
  finishBits(encoder);
  return encoder.status;
}
