/** Templates of grain: white noise through an auto-regressive filter (AV1 specification, 7.18.3.3). */

import { Frame, Plane, planeAt } from '../frame';
import { GAUSSIAN_SEQUENCE } from './gaussian_sequence';
import { FilmGrain } from './params';
import { GrainState, TEMPLATE_STRIDE, templateColumns, templateOf, templateRows } from './state';

/** What grain_seed is combined with for chroma. */
const SEED_CB = 0xb524;
const SEED_CR = 0x49d8;
/** Samples around a template that the filter leaves as they are. */
const BORDER = 3;

/** RandomRegister (section 7.18.3.2). */
let randomRegister: i32 = 0;

export function seedRandom(seed: i32): void {
  randomRegister = seed;
}

/** @param bits 16 at most */
export function randomBits(bits: i32): i32 {
  const r = randomRegister;
  const bit = (r ^ (r >> 1) ^ (r >> 3) ^ (r >> 12)) & 1;
  randomRegister = (r >> 1) | (bit << 15);
  return (randomRegister >> (16 - bits)) & ((1 << bits) - 1);
}

// @inline
export function round(value: i32, bits: i32): i32 {
  return (value + ((1 << bits) >> 1)) >> bits;
}

/** Makes the templates of all planes. */
export function makeTemplates(frame: Frame, state: GrainState): void {
  const params = state.params;
  const seed = params.grainSeed;
  whiteNoise(frame, state, 0, seed, params.numYPoints > 0);
  if (params.numYPoints > 0) filterTemplate(frame, state, 0, params.arCoeffsY, false);
  if (frame.planeCount === 1) return;
  const hasCb = params.numCbPoints > 0 || params.chromaScalingFromLuma;
  const hasCr = params.numCrPoints > 0 || params.chromaScalingFromLuma;
  whiteNoise(frame, state, 1, seed ^ SEED_CB, hasCb);
  whiteNoise(frame, state, 2, seed ^ SEED_CR, hasCr);
  if (hasCb) filterTemplate(frame, state, 1, params.arCoeffsCb, params.numYPoints > 0);
  if (hasCr) filterTemplate(frame, state, 2, params.arCoeffsCr, params.numYPoints > 0);
}

function whiteNoise(frame: Frame, state: GrainState, index: i32, seed: i32, hasNoise: bool): void {
  const plane = planeAt(frame, index);
  const columns = templateColumns(plane);
  const rows = templateRows(plane);
  const shift = 12 - state.bitDepth + state.params.grainScaleShift;
  let to = templateOf(state, index);
  seedRandom(seed);
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const noise: i32 = hasNoise ? load<i16>(GAUSSIAN_SEQUENCE + ((<usize>randomBits(11)) << 1)) : 0;
      store<i16>(to + ((<usize>x) << 1), <i16>round(noise, shift));
    }
    to += TEMPLATE_STRIDE;
  }
}

/** @param withLuma whether there is one more coefficient, for the luma template */
function filterTemplate(
  frame: Frame,
  state: GrainState,
  index: i32,
  coefficients: usize,
  withLuma: bool,
): void {
  const plane = planeAt(frame, index);
  const params: FilmGrain = state.params;
  const columns = templateColumns(plane);
  const rows = templateRows(plane);
  const lag = params.arCoeffLag;
  const shift = params.arCoeffShiftMinus6 + 6;
  const one: i32 = 1;
  const centre = one << (state.bitDepth - 1);
  const template = templateOf(state, index);
  for (let y = BORDER; y < rows; y++) {
    for (let x = BORDER; x < columns - BORDER; x++) {
      const at = template + <usize>y * TEMPLATE_STRIDE + ((<usize>x) << 1);
      let sum = 0;
      let coefficient = coefficients;
      for (let row = -lag; row <= 0; row++) {
        const from = at - <usize>-row * TEMPLATE_STRIDE;
        const end = row === 0 ? 0 : lag + 1;
        for (let column = -lag; column < end; column++) {
          const sample: i32 = load<i16>(from + ((<usize>column) << 1));
          sum += sample * (<i32>load<u8>(coefficient++) - 128);
        }
      }
      if (withLuma) sum += lumaAt(state, plane, x, y) * (<i32>load<u8>(coefficient) - 128);
      const value = <i32>load<i16>(at) + round(sum, shift);
      store<i16>(at, <i16>max(-centre, min(centre - 1, value)));
    }
  }
}

/** The mean of the luma template at a chroma sample's position. */
function lumaAt(state: GrainState, plane: Plane, x: i32, y: i32): i32 {
  const column = ((x - BORDER) << plane.subX) + BORDER;
  const row = ((y - BORDER) << plane.subY) + BORDER;
  let sum = 0;
  for (let i = 0; i <= plane.subY; i++) {
    const from = templateOf(state, 0) + <usize>(row + i) * TEMPLATE_STRIDE + ((<usize>column) << 1);
    for (let j = 0; j <= plane.subX; j++) sum += <i32>load<i16>(from + ((<usize>j) << 1));
  }
  return round(sum, plane.subX + plane.subY);
}
