/**
 * The JPEG encoder's calls: begin, push rows as often as there are some, finish. Baseline sequential, one interleaved scan,
 * optimised Huffman tables, from one reading: blocks are kept as tokens (tokens.ts) until either the image ends or they take
 * `tokenBudget` bytes; then the tables are made from what was counted and everything is written, in place over the tokens.
 */
import { alloc } from '../../memory';
import { encodeBand, SEGMENT_BYTES } from './bands';
import { CODES_BYTES, finishBits, RING_BYTES, writeTokens } from './bits';
import { flattenPixels, padRow, rowToGrey, rowToYCbCr } from './colour';
import { halveRows } from './downsample';

import { fillQuantisation, fillSwizzles, QUANT_BYTES } from './quantise';
import { Encoder, Layout, STATISTICS_BYTES, Status } from './state';
import { beginWriting } from './tables';
import { fillTokens } from './tokens';

/** Rows may be read and written so far past their end. */
const SLACK: i32 = 64;
/** RGBA rows that the host copies in at a time: few calls, and still within the processor's cache. */
const INPUT_BYTES: i32 = 131072;
/** Room before the waiting tokens, so that the output rarely catches up with them. */
const HEAD_START: usize = 20480;

/** Bytes reserved before the region, in order; also what `jpegEncodeBytes` counts. */
function reserve(bytes: usize, counted: bool): usize {
  if (!counted) return alloc(bytes);
  total += (bytes + 15) & ~15;
  return 1;
}
let total: usize = 0;

function layOut(encoder: Encoder, width: i32, layout: i32, counted: bool): bool {
  const mcuSize = layout == Layout.Halved ? 16 : 8;
  const mcusWide = (width + mcuSize - 1) / mcuSize;
  const padded = mcusWide * mcuSize;
  const inputRows = max(1, min(mcuSize, INPUT_BYTES / (width << 2)));
  const lumaStride = ((padded + 15) & ~15) + SLACK;
  const chromaStride = (((layout == Layout.Halved ? padded >> 1 : padded) + 15) & ~15) + SLACK;
  encoder.mcuSize = mcuSize;
  encoder.mcusWide = mcusWide;
  encoder.inputRows = inputRows;
  encoder.lumaStride = lumaStride;
  encoder.chromaStride = chromaStride;
  encoder.input = reserve((width << 2) * inputRows + SLACK, counted);
  encoder.luma = reserve(lumaStride * mcuSize, counted);
  encoder.quantLuma = reserve(QUANT_BYTES, counted);
  encoder.statistics = reserve(2 * STATISTICS_BYTES, counted);
  encoder.codes = reserve(2 * CODES_BYTES, counted);
  encoder.ring = reserve(RING_BYTES + SLACK, counted);
  encoder.segment = reserve(SEGMENT_BYTES, counted);
  if (layout != Layout.Grey) {
    encoder.blue = reserve(chromaStride * 8, counted);
    encoder.red = reserve(chromaStride * 8, counted);
    encoder.quantChroma = reserve(QUANT_BYTES, counted);
  }
  if (layout == Layout.Halved) encoder.pair = reserve(lumaStride * 4, counted);
  return encoder.segment != 0 && (layout == Layout.Grey || encoder.quantChroma != 0) && (layout != Layout.Halved || encoder.pair != 0);
}

/** Bytes that an encoder holds beside its tokens and output. */
export function jpegEncodeBytes(width: i32, layout: i32): usize {
  total = 0;
  const size = (offsetof<Encoder>() + 15) & ~15;
  layOut(changetype<Encoder>(COUNTING), width, layout, true);
  return total + size;
}
const COUNTING: usize = memory.data(offsetof<Encoder>(), 16);

/**
 * @param width 1 to 65535, height likewise
 * @param layout a Layout
 * @param quality 1 to 100
 * @param sharpLimit sharp quads of pixels (downsample.ts) past which 4:2:0 is given up, negative for never
 * @param tokenBudget bytes
 * @param room the most bytes of output
 * @returns the encoder, or 0 when the memory cannot grow
 */
export function jpegEncodeBegin(
  width: i32, height: i32, layout: i32, quality: i32, sharpLimit: i32, tokenBudget: usize, room: usize,
): usize {
  fillSwizzles();
  fillTokens();
  const at = alloc(offsetof<Encoder>());
  if (at == 0) return 0;
  memory.fill(at, 0, offsetof<Encoder>());
  const encoder = changetype<Encoder>(at);
  encoder.width = width;
  encoder.height = height;
  encoder.layout = layout;
  encoder.blocksWide = (width + 7) >> 3;
  encoder.blocksHigh = (height + 7) >> 3;
  if (!layOut(encoder, width, layout, false)) return 0;
  fillQuantisation(encoder.quantLuma, false, quality);
  if (layout != Layout.Grey) fillQuantisation(encoder.quantChroma, true, quality);
  memory.fill(encoder.statistics, 0, 2 * STATISTICS_BYTES);
  encoder.sharpLimit = sharpLimit;
  encoder.tokenBudget = tokenBudget;
  encoder.room = room;
  encoder.ringAt = encoder.ring;
  encoder.free = 64;
  encoder.region = alloc(HEAD_START);
  if (encoder.region == 0) return 0;
  encoder.regionEnd = encoder.region + HEAD_START;
  encoder.tokens = encoder.regionEnd;
  encoder.tokensEnd = encoder.tokens;
  return at;
}

/** Where the host puts rows of RGBA. */
export function jpegEncodeInput(encoder: Encoder): usize {
  return encoder.input;
}

/** How many rows fit there. */
export function jpegEncodeInputRows(encoder: Encoder): i32 {
  return encoder.inputRows;
}

/**
 * Takes `rows` rows from the input. @param flatten lay them over white first @returns a Status
 */
export function jpegEncodePush(encoder: Encoder, rows: i32, flatten: bool): i32 {
  const width = encoder.width;
  if (flatten) flattenPixels(encoder.input, width * rows);
  for (let i = 0; i < rows; i++) {
    const row = encoder.input + (<usize>(i * width) << 2);
    takeRow(encoder, row);
    encoder.row++;
    encoder.bandRow++;
    if (encoder.bandRow == encoder.mcuSize) endBand(encoder);
    if (encoder.status != Status.Ok) return encoder.status;
  }
  return Status.Ok;
}

/** One row of pixels to the band's samples. */
function takeRow(encoder: Encoder, row: usize): void {
  const width = encoder.width;
  const bandRow = encoder.bandRow;
  const padded = encoder.mcusWide * encoder.mcuSize;
  const luma = encoder.luma + <usize>(bandRow * encoder.lumaStride);
  if (encoder.layout == Layout.Grey) {
    rowToGrey(row, width, luma);
  } else if (encoder.layout == Layout.Full) {
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
}

/** The pair of chroma rows to row `to` of the band. @param both the second row is there, else the first counts twice */
function halvePair(encoder: Encoder, to: i32, both: bool): void {
  const stride = <usize>encoder.lumaStride;
  const second = both ? stride : 0;
  const width = encoder.mcusWide << 3;
  const at = <usize>(to * encoder.chromaStride);
  const pair = encoder.pair;
  encoder.sharpQuads += halveRows(pair, pair + second, encoder.blue + at, width);
  encoder.sharpQuads += halveRows(pair + 2 * stride, pair + 2 * stride + second, encoder.red + at, width);
}

/** Fills the band's missing rows by repeating the last ones, then encodes it. */
function endBand(encoder: Encoder): void {
  const rows = encoder.bandRow;
  if (rows < encoder.mcuSize) {
    repeatRows(encoder.luma, encoder.lumaStride, rows, encoder.mcuSize);
    if (encoder.layout != Layout.Grey) {
      if (encoder.layout == Layout.Halved && rows & 1) halvePair(encoder, rows >> 1, false);
      const chromaRows = encoder.layout == Layout.Halved ? (rows + 1) >> 1 : rows;
      repeatRows(encoder.blue, encoder.chromaStride, chromaRows, 8);
      repeatRows(encoder.red, encoder.chromaStride, chromaRows, 8);
    }
  }
  encoder.bandRow = 0;
  if (encoder.sharpLimit >= 0 && encoder.sharpQuads > encoder.sharpLimit) {
    encoder.status = Status.WantsFullChroma;
    return;
  }
  takeBand(encoder);
}

/** Encodes a complete band, and makes the tables once the tokens reach their budget. */
function takeBand(encoder: Encoder): void {
  encodeBand(encoder);
  if (encoder.status != Status.Ok || encoder.writing) return;
  if (encoder.tokensEnd - encoder.tokens >= encoder.tokenBudget) {
    const partial = encoder.row < encoder.height;
    beginWriting(encoder, partial);
    writeTokens(encoder, encoder.tokens, encoder.tokensEnd, true);
  }
}

function repeatRows(plane: usize, stride: i32, rows: i32, end: i32): void {
  const last = plane + <usize>((rows - 1) * stride);
  for (let row = rows; row < end; row++) memory.copy(plane + <usize>(row * stride), last, <usize>stride);
}

/** Where the host puts one MCU row of samples of a component, 0 to 2, for jpegEncodePlanes. */
export function jpegEncodePlane(encoder: Encoder, component: i32): usize {
  return component == 0 ? encoder.luma : component == 1 ? encoder.blue : encoder.red;
}

/** Bytes from one row of a component's samples to the next. */
export function jpegEncodePlaneStride(encoder: Encoder, component: i32): i32 {
  return component == 0 ? encoder.lumaStride : encoder.chromaStride;
}

/**
 * Takes one MCU row of samples in place of pixels: `rows` rows of luma, fewer than an MCU's only at the image's end, and
 * of chroma as the layout has them. What lies beyond the image's edges is replaced. @returns a Status
 */
export function jpegEncodePlanes(encoder: Encoder, rows: i32): i32 {
  const halved = encoder.layout == Layout.Halved;
  const padded = encoder.mcusWide * encoder.mcuSize;
  padRows(encoder.luma, encoder.lumaStride, rows, encoder.width, padded);
  repeatRows(encoder.luma, encoder.lumaStride, rows, encoder.mcuSize);
  if (encoder.layout != Layout.Grey) {
    const width = halved ? (encoder.width + 1) >> 1 : encoder.width;
    const chromaRows = halved ? (rows + 1) >> 1 : rows;
    const chromaPadded = encoder.mcusWide << 3;
    padRows(encoder.blue, encoder.chromaStride, chromaRows, width, chromaPadded);
    padRows(encoder.red, encoder.chromaStride, chromaRows, width, chromaPadded);
    repeatRows(encoder.blue, encoder.chromaStride, chromaRows, 8);
    repeatRows(encoder.red, encoder.chromaStride, chromaRows, 8);
  }
  encoder.row += rows;
  takeBand(encoder);
  return encoder.status;
}

function padRows(plane: usize, stride: i32, rows: i32, width: i32, padded: i32): void {
  for (let row = 0; row < rows; row++) padRow(plane + <usize>(row * stride), width, padded);
}

/** Ends the image; all its rows must have been pushed. @returns a Status */
export function jpegEncodeFinish(encoder: Encoder): i32 {
  if (encoder.bandRow > 0) endBand(encoder);
  if (encoder.status != Status.Ok) return encoder.status;
  if (!encoder.writing) {
    beginWriting(encoder, false);
    writeTokens(encoder, encoder.tokens, encoder.tokensEnd, true);
  }
  if (encoder.status == Status.Ok) finishBits(encoder);
  return encoder.status;
}

/** Where the finished output begins. */
export function jpegEncodeOutput(encoder: Encoder): usize {
  return encoder.region;
}

/** Bytes of finished output. */
export function jpegEncodeOutputBytes(encoder: Encoder): usize {
  return encoder.out - encoder.region;
}
