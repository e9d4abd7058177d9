/** Codes a macroblock row from left to right, and keeps the samples around each macroblock. */
import { RECORD_BYTES } from '../common/macroblock';
import { chromaActivity, susceptibilityAt } from './analysis';
import { CHROMA_ERROR_BYTES, startErrors } from './chroma_errors';
import { sampleMasking, settleMasking } from './error_weights';
import { adjustPressure } from './header_budget';
import { encodeMacroblock } from './macroblock';
import { fillPrices } from './prices';
import { chooseProbabilities } from './probabilities';
import { errorsToSamples, samplesToErrors } from './sampled_errors';
import { makeSegments } from './segments';
import { Encoder, Reading } from './state';
import {
  CHROMA,
  CHROMA_ABOVE,
  CHROMA_STRIDE,
  LUMA,
  LUMA_ABOVE,
  LUMA_STRIDE,
  loadBlock,
  SOURCE,
} from './workspace';

/** Bytes between rows of samples and before the first: what prediction reads left of the picture. */
export const MARGIN: usize = 16;
const LEFT_OF_PICTURE: u8 = 129;
const ABOVE_PICTURE: u8 = 127;
/**
 * Macroblocks with less do not count for chroma's quantiser: those of one colour would hide that the rest has
 * edges between strong colours, as in maps and charts.
 */
const LEAST_CHROMA_ACTIVITY: i32 = 8;

export function isSampled(encoder: Encoder, row: i32): bool {
  return row % encoder.step === encoder.step >> 1;
}

/** Prepares the rows for a reading. */
export function startRows(encoder: Encoder): void {
  encoder.row = 0;
  encoder.rowsFilled = 0;
  const stride = encoder.stride;
  for (let row: usize = 0; row < 16; row++) {
    memory.fill(encoder.luma + row * stride - MARGIN, LEFT_OF_PICTURE, MARGIN);
    if (row < 8) memory.fill(encoder.chroma + row * stride - MARGIN, LEFT_OF_PICTURE, MARGIN);
  }
  const bytes = stride + MARGIN;
  memory.fill(encoder.sourceLumaAbove - MARGIN, ABOVE_PICTURE, bytes);
  memory.fill(encoder.sourceChromaAbove - MARGIN, ABOVE_PICTURE, bytes);
  // Errors at first while sampling (sampled_errors.ts), else samples.
  const above: u8 = encoder.reading === Reading.Sampling ? 0 : ABOVE_PICTURE;
  memory.fill(encoder.lumaAbove - MARGIN, above, bytes);
  memory.fill(encoder.chromaAbove - MARGIN, above, bytes);
  memory.fill(encoder.chromaErrors, 0, <usize>encoder.columns * CHROMA_ERROR_BYTES);
  memory.fill(encoder.records, 0, <usize>encoder.columns * RECORD_BYTES);
}

/** Continues below a macroblock row that is not sampled. */
export function skipRow(encoder: Encoder): void {
  keepSourceAbove(encoder);
  encoder.row++;
}

function keepSourceAbove(encoder: Encoder): void {
  const stride = encoder.stride;
  copyAbove(encoder, encoder.sourceLumaAbove, encoder.luma + 15 * stride);
  copyAbove(encoder, encoder.sourceChromaAbove, encoder.chroma + 7 * stride);
}

function copyAbove(encoder: Encoder, above: usize, from: usize): void {
  memory.copy(above, from, (<usize>encoder.columns) << 4);
  endAbove(encoder, above);
}

/** Sets the samples left and right of a row. */
function endAbove(encoder: Encoder, above: usize): void {
  memory.fill(above - MARGIN, LEFT_OF_PICTURE, MARGIN);
  // Right of the picture the last sample is repeated, as in decoders.
  const end = above + ((<usize>encoder.columns) << 4);
  memory.fill(end, load<u8>(end - 1), MARGIN);
}

/** Encodes the macroblock row whose samples are complete. */
export function encodeRow(encoder: Encoder): void {
  const columns = encoder.columns;
  for (let column = 0; column < columns; column++) {
    takeSource(encoder, column);
    const value = susceptibilityAt(encoder, column);
    store<u8>(encoder.susceptibilities + <usize>column, value);
    if (encoder.reading === Reading.Writing) continue;
    const bin = encoder.histogram + ((<usize>value) << 2);
    store<u32>(bin, load<u32>(bin) + 1);
    if (chromaActivity >= LEAST_CHROMA_ACTIVITY) {
      encoder.chromaSum += chromaActivity;
      encoder.analysed++;
    }
    sampleMasking(encoder);
  }
  if (encoder.reading === Reading.Sampling) {
    settleMasking(encoder);
    makeSegments(encoder);
    if (encoder.row === 0) startAbove(encoder);
    else {
      continueAbove(encoder, encoder.lumaAbove, encoder.sourceLumaAbove);
      continueAbove(encoder, encoder.chromaAbove, encoder.sourceChromaAbove);
    }
  }
  memory.fill(encoder.left, 0, RECORD_BYTES);
  startErrors();
  startBorders(encoder);
  for (let column = 0; column < columns; column++) {
    takeSource(encoder, column);
    const value = load<u8>(encoder.susceptibilities + <usize>column);
    encoder.segment = encoder.segmentCount > 1 ? load<u8>(encoder.segmentOf + value) : 0;
    takeAbove(encoder, column);
    encodeMacroblock(encoder, column);
    moveOn(encoder, column);
  }
  if (encoder.reading === Reading.Sampling) {
    chooseProbabilities(encoder.probabilities, encoder.statistics, encoder.step);
    fillPrices(encoder.prices, encoder.probabilities);
    const bytes = (<usize>columns) << 4;
    samplesToErrors(encoder.lumaAbove, encoder.luma + 15 * encoder.stride, bytes);
    samplesToErrors(encoder.chromaAbove, encoder.chroma + 7 * encoder.stride, bytes);
  } else {
    endAbove(encoder, encoder.lumaAbove);
    endAbove(encoder, encoder.chromaAbove);
    adjustPressure(encoder);
  }
  keepSourceAbove(encoder);
  encoder.row++;
}

/** Sets what predictions read above a sampled row: the picture, with the errors of the one sampled before. */
function continueAbove(encoder: Encoder, above: usize, source: usize): void {
  errorsToSamples(above, source, (<usize>encoder.columns) << 4);
  endAbove(encoder, above);
}

/** Sets what predictions read above the first row. */
function startAbove(encoder: Encoder): void {
  memory.fill(encoder.lumaAbove - MARGIN, ABOVE_PICTURE, encoder.stride + MARGIN);
  memory.fill(encoder.chromaAbove - MARGIN, ABOVE_PICTURE, encoder.stride + MARGIN);
}

/** Copies a macroblock's samples to SOURCE, block by block. */
function takeSource(encoder: Encoder, column: i32): void {
  const stride = encoder.stride;
  const x = (<usize>column) << 4;
  for (let i: usize = 0; i < 16; i++) {
    const from = encoder.luma + x + (i >> 2) * 4 * stride + ((i & 3) << 2);
    v128.store(SOURCE + (i << 4), loadBlock(from, stride));
  }
  for (let i: usize = 0; i < 8; i++) {
    const from = encoder.chroma + x + ((i >> 1) & 1) * 4 * stride + ((i >> 2) << 3) + ((i & 1) << 2);
    v128.store(SOURCE + ((16 + i) << 4), loadBlock(from, stride));
  }
}

/** Sets what predictions read left of the first macroblock. */
function startBorders(encoder: Encoder): void {
  for (let y: usize = 0; y < 16; y++) store<u8>(LUMA + y * LUMA_STRIDE - 1, LEFT_OF_PICTURE);
  for (let y: usize = 0; y < 8; y++) {
    store<u8>(CHROMA + y * CHROMA_STRIDE - 1, LEFT_OF_PICTURE);
    store<u8>(CHROMA + y * CHROMA_STRIDE - 9, LEFT_OF_PICTURE);
  }
  v128.store(LUMA_ABOVE - 16, v128.load(encoder.lumaAbove - MARGIN));
  v128.store(CHROMA_ABOVE - 16, v128.load(encoder.chromaAbove - MARGIN));
}

function takeAbove(encoder: Encoder, column: i32): void {
  const x = (<usize>column) << 4;
  v128.store(LUMA_ABOVE, v128.load(encoder.lumaAbove + x));
  store<u32>(LUMA_ABOVE, load<u32>(encoder.lumaAbove + x, 16), 16);
  v128.store(CHROMA_ABOVE, v128.load(encoder.chromaAbove + x));
}

/** Keeps what the next macroblock reads to its left, and the next row above it. */
function moveOn(encoder: Encoder, column: i32): void {
  const x = (<usize>column) << 4;
  for (let at = LUMA_ABOVE; at <= LUMA + 15 * LUMA_STRIDE; at += LUMA_STRIDE) {
    v128.store(at - 16, v128.load(at));
  }
  for (let at = CHROMA_ABOVE; at <= CHROMA + 7 * CHROMA_STRIDE; at += CHROMA_STRIDE) {
    v128.store(at - 16, v128.load(at));
  }
  v128.store(encoder.lumaAbove + x, v128.load(LUMA + 15 * LUMA_STRIDE));
  v128.store(encoder.chromaAbove + x, v128.load(CHROMA + 7 * CHROMA_STRIDE));
}
