/** Collects rows of pixels into macroblock rows of samples. */
import { clearChromaRow, takeClearColours } from './clear_colour';
import { chromaRow, doublePairs, takeColours } from './colour';
import { fillTransparent } from './fill_transparent';
import { encodeRow, isSampled, skipRow } from './rows';
import { sharpenChromaRow } from './sharpen_chroma';
import { Encoder, Reading } from './state';

/**
 * Of a macroblock row that is not sampled, only the rows from this one on are taken: the next one is
 * predicted from them.
 */
const LAST_PAIR: i32 = 14;

/** Takes one row of RGBA. Encodes the macroblock row if that completes it. */
export function takeRow(encoder: Encoder, row: usize): void {
  const y = encoder.rowsFilled;
  if (isNeeded(encoder, y)) {
    const luma = encoder.luma + <usize>y * encoder.stride;
    const odd = (y & 1) !== 0;
    if (encoder.alpha) {
      const alpha = encoder.alpha + <usize>y * ((<usize>encoder.columns) << 4);
      takeClearColours(row, encoder.width, luma, alpha, encoder.pairs, odd);
    } else {
      takeColours(row, encoder.width, luma, encoder.pairs, odd);
    }
    if (y & 1) halve(encoder, y >> 1);
  }
  encoder.rowsFilled++;
  if (encoder.rowsFilled === 16) endRow(encoder);
}

function isNeeded(encoder: Encoder, y: i32): bool {
  if (encoder.reading === Reading.Writing || isSampled(encoder, encoder.row)) return true;
  return y >= LAST_PAIR && isSampled(encoder, encoder.row + 1);
}

function halve(encoder: Encoder, row: i32): void {
  const chroma = encoder.chroma + <usize>row * encoder.stride;
  if (encoder.alpha) {
    clearChromaRow(encoder.pairs, encoder.columns, chroma);
    return;
  }
  chromaRow(encoder.pairs, encoder.columns, chroma);
  sharpenChromaRow(chroma, encoder.columns);
}

/** Fills missing rows by repeating the last ones, then encodes the macroblock row. */
export function endRow(encoder: Encoder): void {
  const filled = encoder.rowsFilled;
  encoder.rowsFilled = 0;
  if (encoder.reading === Reading.Sampling && !isSampled(encoder, encoder.row)) {
    skipRow(encoder);
    return;
  }
  if (filled < 16) {
    if (filled & 1) {
      doublePairs(encoder.pairs, encoder.columns);
      halve(encoder, filled >> 1);
    }
    repeatLast(encoder, encoder.luma, encoder.stride, filled, 16);
    repeatLast(encoder, encoder.chroma, encoder.stride, (filled + 1) >> 1, 8);
    if (encoder.alpha) repeatLast(encoder, encoder.alpha, (<usize>encoder.columns) << 4, filled, 16);
  }
  if (encoder.alpha) fillTransparent(encoder);
  encodeRow(encoder);
}

function repeatLast(encoder: Encoder, plane: usize, stride: usize, filled: i32, rows: i32): void {
  const bytes = (<usize>encoder.columns) << 4;
  const last = plane + <usize>(filled - 1) * stride;
  for (let row = filled; row < rows; row++) {
    memory.copy(plane + <usize>row * stride, last, bytes);
  }
}
