/** Rows of noise, made of blocks of the templates (AV1 specification, section 7.18.3.5). */

import { Plane } from '../frame';
import { GrainState, NOISE_ROWS, TEMPLATE_STRIDE, templateOf } from './state';
import { randomBits, round, seedRandom } from './template';

/** Weights of the old and the new block where blocks of noise overlap, in 1/32. */
const OLD_FIRST = 27;
const NEW_FIRST = 17;
/** The same for one sample per two of luma. */
const OLD_ONLY = 23;
const NEW_ONLY = 22;

/**
 * Makes the noise of a plane's row, in the columns that are wanted.
 * @param row of the plane
 * @returns the address of its i16
 */
export function noiseRow(state: GrainState, plane: Plane, index: i32, row: i32): usize {
  const stripe = (row << plane.subY) / NOISE_ROWS;
  if (stripe !== state.stripe) turnStripe(state, stripe);
  const i = row - ((stripe * NOISE_ROWS) >> plane.subY);
  addBlocks(state, plane, index, state.noise, state.offsets, i);
  const overlap = 2 >> plane.subY;
  if (i >= overlap || stripe === 0 || !state.params.overlapFlag) return state.noise;
  addBlocks(state, plane, index, state.noiseAbove, state.offsetsAbove, i + (NOISE_ROWS >> plane.subY));
  const first = (<usize>((state.firstBlock * NOISE_ROWS) >> plane.subX)) << 1;
  const end = (<usize>((state.endBlock * NOISE_ROWS) >> plane.subX)) << 1;
  for (let x = first; x < end; x += 2) {
    const old = load<i16>(state.noiseAbove + x);
    store<i16>(state.noise + x, blend(state, old, load<i16>(state.noise + x), i, overlap));
  }
  return state.noise;
}

/** Draws the offsets of a stripe's blocks, and of those above. */
function turnStripe(state: GrainState, stripe: i32): void {
  state.stripe = stripe;
  drawOffsets(state, state.offsets, stripe);
  if (stripe > 0) drawOffsets(state, state.offsetsAbove, stripe - 1);
}

function drawOffsets(state: GrainState, to: usize, stripe: i32): void {
  const upper = ((stripe * 37 + 178) & 255) << 8;
  seedRandom(state.params.grainSeed ^ upper ^ ((stripe * 173 + 105) & 255));
  for (let block = 0; block < state.blocks; block++) store<u8>(to + <usize>block, <u8>randomBits(8));
}

/**
 * Puts one row of a stripe's blocks side by side, and blends them where they overlap.
 * @param i row of the stripe, which may be one of those that overlap the stripe below
 */
function addBlocks(state: GrainState, plane: Plane, index: i32, to: usize, offsets: usize, i: i32): void {
  const columns = NOISE_ROWS >> plane.subX;
  const overlap = 2 >> plane.subX;
  const bytes = (<usize>columns) << 1;
  let before: usize = 0;
  let place = to + bytes * <usize>state.firstBlock;
  for (let block = state.firstBlock; block < state.endBlock; block++) {
    const random: i32 = load<u8>(offsets + <usize>block);
    const x = plane.subX ? 6 + (random >> 4) : 9 + (random >> 4) * 2;
    const y = (plane.subY ? 6 + (random & 15) : 9 + (random & 15) * 2) + i;
    const from = templateOf(state, index) + <usize>y * TEMPLATE_STRIDE + ((<usize>x) << 1);
    for (let at: usize = 0; at < bytes; at += 16) v128.store(place + at, v128.load(from + at));
    // The first one's overlap is not wanted, or there is none.
    if (block > state.firstBlock && state.params.overlapFlag) {
      for (let j = 0; j < overlap; j++) {
        const at = (<usize>j) << 1;
        const old = load<i16>(before + bytes + at);
        store<i16>(place + at, blend(state, old, load<i16>(from + at), j, overlap));
      }
    }
    before = from;
    place += bytes;
  }
}

/** @param position of `overlap` samples, 1 or 2 */
// @inline
function blend(state: GrainState, old: i32, begun: i32, position: i32, overlap: i32): i16 {
  let sum = old * OLD_ONLY + begun * NEW_ONLY;
  if (overlap === 2) {
    sum = position === 0 ? old * OLD_FIRST + begun * NEW_FIRST : old * NEW_FIRST + begun * OLD_FIRST;
  }
  const one: i32 = 1;
  const centre = one << (state.bitDepth - 1);
  return <i16>max(-centre, min(centre - 1, round(sum, 5)));
}
