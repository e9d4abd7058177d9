/** Quantiser steps, and the matrices that weigh them by frequency (sections 7.12.2 and 9.5). */
import { AC_STEPS, DC_STEPS } from './lookup';
import { FUNDAMENTAL } from './matrices';

const FUNDAMENTAL_BYTES: usize = 1040;
const TRIANGLE_BYTES: usize = 528;

/** Side of the square fundamental matrix; the other one is half as high. */
const SIDE: i32 = 32;
/** Bytes of all matrices of a level (QM_TOTAL_SIZE). */
const MATRICES_BYTES: usize = 3344;
/** Of u16 each: where a TxSize's matrix lies among those of its level (Qm_Offset). */
const OFFSETS: usize = memory.data<u16>([
  0, 16, 80, 336, 336, 1360, 1392, 1424, 1552, 1680, 2192, 336, 336, 2704, 2768, 2832, 3088, 1680, 2192,
]);
/** Log2 of width and height by TxSize, for sizes with a matrix of their own; 0 for the others. */
const LOG2_SIZES: usize = memory.data<u8>([
  2, 2, 3, 3, 4, 4, 5, 5, 0, 0, 2, 3, 3, 2, 3, 4, 4, 3, 4, 5, 5, 4, 0, 0, 0, 0, 2, 4, 4, 2, 3, 5, 5, 3,
]);
const SIZES_WITH_MATRIX: i32 = 17;

/**
 * Matrices made so far: one set of luma, and two of chroma, since U and V may differ in level. Each is known
 * by its level, −1 at first.
 */
const made: usize = memory.data(3 * 3344, 16);
let lumaLevel: i32 = -1;
let chromaLevel: i32 = -1;
let olderChromaLevel: i32 = -1;
/** The set that has `chromaLevel`: 1 or 2. The other one has `olderChromaLevel`. */
let chromaSet: usize = 1;

/** dc_q(qindex). @param qindex any; clipped to 0 to 255 @param bitDepth 8, 10 or 12 */
export function dcQ(qindex: i32, bitDepth: i32): i32 {
  return step(DC_STEPS, qindex, bitDepth);
}

/** ac_q(qindex), likewise. */
export function acQ(qindex: i32, bitDepth: i32): i32 {
  return step(AC_STEPS, qindex, bitDepth);
}

// @inline
function step(steps: usize, qindex: i32, bitDepth: i32): i32 {
  const index = (((bitDepth - 8) >> 1) << 8) + max(0, min(255, qindex));
  return load<u16>(steps + ((<usize>index) << 1));
}

/**
 * The weights of a transform block's coefficients, in units of 1/32.
 * @param level 0 to 14 (level 15 has no weights)
 * @param chroma whether the plane is U or V
 * @param txSize TxSize, section 6.10.16
 * @returns address of u8: min(width, 32) per row, min(height, 32) rows. It stays valid until another level of
 * luma, or a third one of chroma, is asked for
 */
export function quantiserMatrix(level: i32, chroma: bool, txSize: i32): usize {
  return matrices(level, chroma) + load<u16>(OFFSETS + ((<usize>txSize) << 1));
}

function matrices(level: i32, chroma: bool): usize {
  if (!chroma) {
    if (level !== lumaLevel) {
      makeMatrices(level, 0, made);
      lumaLevel = level;
    }
    return made;
  }
  if (level !== chromaLevel) {
    chromaSet = 3 - chromaSet;
    const wanted = olderChromaLevel;
    olderChromaLevel = chromaLevel;
    chromaLevel = level;
    if (level !== wanted) makeMatrices(level, 1, made + chromaSet * MATRICES_BYTES);
  }
  return made + chromaSet * MATRICES_BYTES;
}

/**
 * Writes the matrices of all sizes to `to`: the fundamental ones, and every second weight of them, and so on.
 */
function makeMatrices(level: i32, chroma: usize, to: usize): void {
  const from = FUNDAMENTAL + (((<usize>level) << 1) + chroma) * FUNDAMENTAL_BYTES;
  for (let txSize = 0; txSize < SIZES_WITH_MATRIX; txSize++) {
    const log2W = <i32>load<u8>(LOG2_SIZES + ((<usize>txSize) << 1));
    const log2H = <i32>load<u8>(LOG2_SIZES + ((<usize>txSize) << 1), 1);
    if (log2W === 0) continue;
    makeMatrix(from, log2W, log2H, to + load<u16>(OFFSETS + ((<usize>txSize) << 1)));
  }
}

function makeMatrix(from: usize, log2W: i32, log2H: i32, to: usize): void {
  // The fundamental matrix is 32 on the longer side, and the ratio of the sides is at least its own.
  const fullW = log2W < log2H ? SIDE >> 1 : SIDE;
  const fullH = log2W > log2H ? SIDE >> 1 : SIDE;
  const ratioX = fullW >> log2W;
  const ratioY = fullH >> log2H;
  const phaseX = ((ratioX + 1) >> 1) - 1;
  const phaseY = ((ratioY + 1) >> 1) - 1;
  for (let i = 0; i < 1 << log2H; i++) {
    for (let j = 0; j < 1 << log2W; j++) {
      const row = ratioY * i + phaseY;
      const column = ratioX * j + phaseX;
      store<u8>(to++, weight(from, log2W, log2H, row, column));
    }
  }
}

/** One weight of the fundamental matrix for such a size; the high one is the wide one turned. */
// @inline
function weight(from: usize, log2W: i32, log2H: i32, row: i32, column: i32): u8 {
  if (log2W === log2H) {
    const long = max(row, column);
    return load<u8>(from + ((long * (long + 1)) >> 1) + min(row, column));
  }
  const wide = from + TRIANGLE_BYTES;
  return load<u8>(wide + (log2W > log2H ? row * SIDE + column : column * SIDE + row));
}
