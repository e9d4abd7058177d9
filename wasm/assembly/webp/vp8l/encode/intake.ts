/** Passes rows of alpha to the trials. */
import { numberLevels, packRow } from './levels';
import { chooseModes } from './modes';
import { MODE_GRADIENT, MODE_LEFT, residualRow } from './residual';
import { AlphaEncoder, LEVELLED, levelsOf, PACKINGS, rowAt, Source, trialOf } from './state';
import { takeSymbols } from './tokens';

/** Passes the next row of alpha, at `row`, to all trials that are alive. */
export function takeRow(encoder: AlphaEncoder, row: usize): void {
  const y = encoder.y;
  const edge = 1 << encoder.blockBits;
  const own = rowAt(encoder, y);
  if ((y & (edge - 1)) === 0 && y > 0) {
    // The last row of the blocks above.
    memory.copy(encoder.rows, encoder.rows + <usize>edge * encoder.stride, encoder.width);
  }
  memory.copy(own, row, encoder.width);
  for (let source = 0; source < LEVELLED; source++) takeSource(encoder, source, own);
  encoder.y = y + 1;
  if (!trialOf(encoder, Source.Blocks, 0).alive) return;
  if (encoder.writing) {
    takeBlocks(encoder, y, y + 1);
  } else if ((encoder.y & (edge - 1)) === 0 || encoder.y === encoder.height) {
    const top = y & ~(edge - 1);
    chooseModes(encoder, top, encoder.y);
    takeBlocks(encoder, top, encoder.y);
  }
}

/** Passes a row of one source to its trials. */
function takeSource(encoder: AlphaEncoder, source: i32, row: usize): void {
  const single = trialOf(encoder, source, 0).alive;
  let packed = false;
  for (let i = 1; i < PACKINGS; i++) packed = packed || trialOf(encoder, source, i).alive;
  if (!single && !packed) return;
  if (source !== Source.Plain) {
    const mode = source === Source.Left ? MODE_LEFT : MODE_GRADIENT;
    residualRow(0, 0, mode, encoder.y, encoder.width, row, row - encoder.stride, encoder.symbols);
    row = encoder.symbols;
  }
  if (single) takeSymbols(encoder, trialOf(encoder, source, 0), row, encoder.width);
  if (packed) takePacked(encoder, source, row);
}

/** Passes level numbers, several per symbol, as long as there are few levels. */
function takePacked(encoder: AlphaEncoder, source: i32, row: usize): void {
  const levels = levelsOf(encoder, source);
  const few = numberLevels(levels, row, encoder.width);
  for (let packing = 1; packing < PACKINGS; packing++) {
    const trial = trialOf(encoder, source, packing);
    if (!few || levels.count > 1 << (8 >> packing)) trial.alive = false;
    if (!trial.alive) continue;
    packRow(levels, packing, row, encoder.width, encoder.packed);
    takeSymbols(encoder, trial, encoder.packed, trial.width);
  }
}

/** Takes rows of whole blocks, or single rows once all modes are known. */
function takeBlocks(encoder: AlphaEncoder, top: i32, bottom: i32): void {
  const trial = trialOf(encoder, Source.Blocks, 0);
  const modes = encoder.modes + <usize>(top >> encoder.blockBits) * encoder.blocksWide;
  for (let y = top; y < bottom; y++) {
    const row = rowAt(encoder, y);
    residualRow(modes, encoder.blockBits, 0, y, encoder.width, row, row - encoder.stride, encoder.symbols);
    takeSymbols(encoder, trial, encoder.symbols, encoder.width);
  }
}
