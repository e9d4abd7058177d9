/** The state of film grain: templates of grain, scaling tables, a row of noise. */

import { allocated } from '../../memory';
import { Frame, Plane } from '../frame';
import { FilmGrain } from './params';

/** Size of a template, which chroma uses in part where it has fewer samples (section 7.18.3.3). */
export const TEMPLATE_COLUMNS = 82;
export const TEMPLATE_ROWS = 73;
export const TEMPLATE_STRIDE: usize = TEMPLATE_COLUMNS << 1;
/** Luma rows of a stripe of noise, and luma columns of a block of it. */
export const NOISE_ROWS = 32;
/** Extra samples per row of noise, because blocks are copied in whole vectors. */
const NOISE_SLACK = 64;
const TEMPLATE_BYTES: usize = 11984;

@unmanaged
export class GrainState {
  params: FilmGrain;
  bitDepth: i32;
  /** Bytes of the scaling table of a plane: one for each value of a sample. */
  tableBytes: usize;
  /** Templates of i16 and scaling tables of u8, of each plane. */
  templates: usize;
  tables: usize;
  /** Random offsets of each block of the stripe `stripe`, and of the one above: u8. */
  stripe: i32;
  blocks: i32;
  /** The range of blocks that is made: from the one before the wanted columns up to `endBlock`, exclusive. */
  firstBlock: i32;
  endBlock: i32;
  offsets: usize;
  offsetsAbove: usize;
  /** A row of noise of i16, and one of the stripe above. */
  noise: usize;
  noiseAbove: usize;
}

// @inline
export function templateOf(state: GrainState, index: i32): usize {
  return state.templates + <usize>index * TEMPLATE_BYTES;
}

// @inline
export function tableOf(state: GrainState, index: i32): usize {
  return state.tables + <usize>index * state.tableBytes;
}

/** Samples of a row and of a column of a plane's template. */
// @inline
export function templateColumns(plane: Plane): i32 {
  return plane.subX ? 44 : TEMPLATE_COLUMNS;
}

// @inline
export function templateRows(plane: Plane): i32 {
  return plane.subY ? 38 : TEMPLATE_ROWS;
}

/** Bytes that the grain of a picture needs. */
export function grainBytes(frame: Frame): usize {
  return allocated(offsetof<GrainState>()) + layOut(frame, changetype<GrainState>(counted), 0);
}

const counted: usize = memory.data(128, 8);

/** @param at grainBytes of memory */
export function grainStateAt(frame: Frame, at: usize): GrainState {
  const state = changetype<GrainState>(at);
  layOut(frame, state, at + allocated(offsetof<GrainState>()));
  return state;
}

function layOut(frame: Frame, state: GrainState, from: usize): usize {
  const planes = <usize>frame.planeCount;
  state.params = changetype<FilmGrain>(frame.filmGrain);
  state.bitDepth = frame.bitDepth;
  state.blocks = (frame.upscaledWidth + NOISE_ROWS - 1) / NOISE_ROWS;
  state.stripe = -1;
  state.tableBytes = (<usize>1) << (<usize>frame.bitDepth);
  state.templates = from;
  state.tables = state.templates + planes * TEMPLATE_BYTES;
  state.offsets = state.tables + planes * state.tableBytes;
  state.offsetsAbove = state.offsets + <usize>state.blocks;
  state.noise = allocated(state.offsetsAbove + <usize>state.blocks);
  const row = allocated((<usize>(state.blocks * NOISE_ROWS + NOISE_SLACK)) << 1);
  state.noiseAbove = state.noise + row;
  return state.noiseAbove + row;
}
