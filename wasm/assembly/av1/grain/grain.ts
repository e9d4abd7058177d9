/**
 * Film grain (AV1 specification, section 7.18.3), added to finished rows as they leave. A row's grain depends
 * on its place alone, so the height of strips changes nothing.
 */

import { Frame, Plane, planeAt } from '../frame';
import { noiseRow } from './noise';
import { FilmGrain } from './params';
import { makeTables } from './scaling';
import { GrainState, NOISE_ROWS, tableOf } from './state';
import { makeTemplates, round } from './template';

/** MC_IDENTITY: chroma has luma's range (section 6.4.2). */
const MC_IDENTITY = 0;

/** The range that samples with grain are clipped to, and the luma row beside a row of chroma. */
let least: i32 = 0;
let most: i32 = 0;

/** Prepares the templates and tables for the grain of all rows. */
export function startGrain(frame: Frame, state: GrainState): void {
  state.stripe = -1;
  makeTemplates(frame, state);
  makeTables(frame, state);
}

/** Adds grain to the finished rows of all planes, in the columns that are wanted. */
export function addGrain(frame: Frame, state: GrainState): void {
  const params: FilmGrain = state.params;
  state.firstBlock = max(0, frame.wantedFrom / NOISE_ROWS - 1);
  state.endBlock = min(state.blocks, (frame.wantedEnd + NOISE_ROWS - 1) / NOISE_ROWS);
  if (frame.planeCount > 1) {
    // Chroma's grain depends on luma before its own.
    if (params.numCbPoints > 0 || params.chromaScalingFromLuma) addToChroma(frame, state, 1);
    if (params.numCrPoints > 0 || params.chromaScalingFromLuma) addToChroma(frame, state, 2);
  }
  if (params.numYPoints > 0) addToLuma(frame, state);
}

function setRange(frame: Frame, params: FilmGrain, index: i32): void {
  const scale = frame.bitDepth - 8;
  const one: i32 = 1;
  least = params.clipToRestrictedRange ? 16 << scale : 0;
  most = (one << frame.bitDepth) - 1;
  if (!params.clipToRestrictedRange) return;
  most = (index === 0 || frame.matrixCoefficients === MC_IDENTITY ? 235 : 240) << scale;
}

// @inline
function clipped(value: i32): u16 {
  return <u16>max(least, min(most, value));
}

function addToLuma(frame: Frame, state: GrainState): void {
  const plane = planeAt(frame, 0);
  const params: FilmGrain = state.params;
  const shift = params.grainScalingMinus8 + 8;
  const table = tableOf(state, 0);
  const last = state.tableBytes - 1;
  setRange(frame, params, 0);
  let row = plane.finished;
  for (let y = frame.finishedY; y < frame.finishedY + frame.finishedRows; y++) {
    const noise = noiseRow(state, plane, 0, y);
    const end = (<usize>frame.wantedEnd) << 1;
    for (let x: usize = (<usize>frame.wantedFrom) << 1; x < end; x += 2) {
      const sample = load<u16>(row + x);
      const grain = <i32>load<u8>(table + (<usize>sample & last)) * <i32>load<i16>(noise + x);
      store<u16>(row + x, clipped(<i32>sample + round(grain, shift)));
    }
    row += plane.finishedStride;
  }
}

function addToChroma(frame: Frame, state: GrainState, index: i32): void {
  const luma = planeAt(frame, 0);
  const plane = planeAt(frame, index);
  setRange(frame, state.params, index);
  const first = frame.finishedY >> plane.subY;
  const end = (frame.finishedY + frame.finishedRows + plane.subY) >> plane.subY;
  let row = plane.finished;
  let lumaRow = luma.finished;
  for (let y = first; y < end; y++) {
    const noise = noiseRow(state, plane, index, y);
    addToChromaRow(frame, state, plane, index, row, lumaRow, luma.finishedWidth, noise);
    row += plane.finishedStride;
    lumaRow += luma.finishedStride << plane.subY;
  }
}

function addToChromaRow(
  frame: Frame,
  state: GrainState,
  plane: Plane,
  index: i32,
  row: usize,
  lumaRow: usize,
  lumaWidth: i32,
  noise: usize,
): void {
  const params: FilmGrain = state.params;
  const shift = params.grainScalingMinus8 + 8;
  const table = tableOf(state, index);
  const one: i32 = 1;
  const largest = (one << state.bitDepth) - 1;
  const isCb = index === 1;
  const fromLuma = params.chromaScalingFromLuma;
  // For chroma scaling from luma: weights that leave luma as it is.
  const lumaWeight = fromLuma ? 64 : (isCb ? params.cbLumaMult : params.crLumaMult) - 128;
  const weight = fromLuma ? 0 : (isCb ? params.cbMult : params.crMult) - 128;
  const offset = fromLuma ? 0 : ((isCb ? params.cbOffset : params.crOffset) - 256) << (state.bitDepth - 8);
  const end = (frame.wantedEnd + plane.subX) >> plane.subX;
  for (let x = frame.wantedFrom >> plane.subX; x < end; x++) {
    const at = (<usize>x) << 1;
    let average: i32 = load<u16>(lumaRow + (at << plane.subX));
    if (plane.subX) {
      const next = min(x * 2 + 1, lumaWidth - 1);
      average = (average + <i32>load<u16>(lumaRow + ((<usize>next) << 1)) + 1) >> 1;
    }
    const sample: i32 = load<u16>(row + at);
    const combined = ((average * lumaWeight + sample * weight) >> 6) + offset;
    const scaling: i32 = load<u8>(table + <usize>max(0, min(largest, combined)));
    const grain = scaling * <i32>load<i16>(noise + at);
    store<u16>(row + at, clipped(sample + round(grain, shift)));
  }
}
