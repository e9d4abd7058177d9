/**
 * The loop filter (RFC 6386 section 15) for one macroblock row, once all of it is reconstructed, because
 * prediction reads unfiltered samples. For each macroblock in turn: its left edge, its inner vertical edges,
 * its upper edge, its inner horizontal edges.
 */
import { RECORD_BYTES, STRENGTH } from '../common/macroblock';
import { filterInnerEdge, filterMacroblockEdge, filterSimpleEdge } from './edge_filters';
import { FLAGS, INNER_FLAG, INTERIOR, LIMIT, VARIANCE_MASK } from './filter_strengths';
import { Decoder } from './state';
import { transpose, transposeBack } from './transpose';

/** Bytes from one transposed column to the next. */
const TRANSPOSED: usize = 16;
export const TRANSPOSED_BYTES: usize = 24 * TRANSPOSED;

/** Added to the limit at a macroblock's own edges. */
const MACROBLOCK_EDGE: i32 = 4;

export function filterRow(decoder: Decoder): void {
  const stride = decoder.stride;
  const parity = <usize>(decoder.row & 1);
  let luma = decoder.luma + parity * 16 * stride;
  let chroma = decoder.chroma + parity * 8 * stride;
  // The row above is in the other half of the planes.
  let lumaAbove = decoder.luma + (31 - parity * 16) * stride;
  let chromaAbove = decoder.chroma + (15 - parity * 8) * stride;
  const hasAbove = decoder.row > 0;
  for (let column = 0; column < decoder.columns; column++) {
    const strength = decoder.records + <usize>column * RECORD_BYTES + STRENGTH;
    if (load<u8>(strength, LIMIT) !== 0) {
      if (decoder.filterSimple) {
        filterSimply(decoder, strength, luma, hasAbove ? lumaAbove : 0, column > 0);
      } else {
        filterLuma(decoder, strength, luma, hasAbove ? lumaAbove : 0, column > 0);
        filterChroma(decoder, strength, chroma, hasAbove ? chromaAbove : 0, column > 0);
      }
    }
    luma += 16;
    lumaAbove += 16;
    chroma += 16;
    chromaAbove += 16;
  }
}

/**
 * Applies the simple filter to one macroblock.
 * @param above the row above the macroblock, 0 if there is none
 * @param hasLeft whether there is a macroblock to the left
 */
function filterSimply(decoder: Decoder, strength: usize, at: usize, above: usize, hasLeft: bool): void {
  const stride = decoder.stride;
  const columns = decoder.transposed;
  const limit: i32 = load<u8>(strength, LIMIT);
  const inside = (load<u8>(strength, FLAGS) & INNER_FLAG) !== 0;
  if (hasLeft || inside) {
    transposeLuma(columns, at, stride, inside);
    if (hasLeft) {
      const edge = columns + 4 * TRANSPOSED;
      filterSimpleEdge(edge - TRANSPOSED, edge, TRANSPOSED, limit + MACROBLOCK_EDGE);
    }
    if (inside) {
      for (let x: usize = 8; x <= 16; x += 4) {
        filterSimpleEdge(columns + (x - 1) * TRANSPOSED, columns + x * TRANSPOSED, TRANSPOSED, limit);
      }
    }
    transposeLumaBack(columns, at, stride, inside);
  }
  if (above) filterSimpleEdge(above, at, stride, limit + MACROBLOCK_EDGE);
  if (inside) {
    for (let y: usize = 4; y <= 12; y += 4) {
      filterSimpleEdge(at + (y - 1) * stride, at + y * stride, stride, limit);
    }
  }
}

function filterLuma(decoder: Decoder, strength: usize, at: usize, above: usize, hasLeft: bool): void {
  const stride = decoder.stride;
  const columns = decoder.transposed;
  const limit: i32 = load<u8>(strength, LIMIT);
  const interior: i32 = load<u8>(strength, INTERIOR);
  const variance: i32 = load<u8>(strength, FLAGS) & VARIANCE_MASK;
  const inside = (load<u8>(strength, FLAGS) & INNER_FLAG) !== 0;
  if (hasLeft || inside) {
    transposeLuma(columns, at, stride, inside);
    if (hasLeft) {
      const edge = columns + 4 * TRANSPOSED;
      filterMacroblockEdge(edge - TRANSPOSED, edge, TRANSPOSED, limit + MACROBLOCK_EDGE, interior, variance);
    }
    if (inside) {
      filterInnerEdge(columns + 8 * TRANSPOSED, TRANSPOSED, limit, interior, variance);
      filterInnerEdge(columns + 12 * TRANSPOSED, TRANSPOSED, limit, interior, variance);
      filterInnerEdge(columns + 16 * TRANSPOSED, TRANSPOSED, limit, interior, variance);
    }
    transposeLumaBack(columns, at, stride, inside);
  }
  if (above) filterMacroblockEdge(above, at, stride, limit + MACROBLOCK_EDGE, interior, variance);
  if (inside) {
    filterInnerEdge(at + 4 * stride, stride, limit, interior, variance);
    filterInnerEdge(at + 8 * stride, stride, limit, interior, variance);
    filterInnerEdge(at + 12 * stride, stride, limit, interior, variance);
  }
}

/**
 * Transposes columns, from four left of the macroblock on: eight of them, or with `all` up to four right of
 * it.
 */
// @inline
function transposeLuma(columns: usize, at: usize, stride: usize, all: bool): void {
  const lower = at + 8 * stride;
  transpose(columns, at - 4, lower - 4, stride);
  if (!all) return;
  transpose(columns + 8 * TRANSPOSED, at + 4, lower + 4, stride);
  transpose(columns + 16 * TRANSPOSED, at + 12, lower + 12, stride);
}

// @inline
function transposeLumaBack(columns: usize, at: usize, stride: usize, all: bool): void {
  const lower = at + 8 * stride;
  transposeBack(columns, at - 4, lower - 4, stride);
  if (!all) return;
  transposeBack(columns + 8 * TRANSPOSED, at + 4, lower + 4, stride);
  transposeBack(columns + 16 * TRANSPOSED, at + 12, lower + 12, stride);
}

/** Filters both chroma components at once: each row of 16 has 8 samples of one and 8 of the other. */
function filterChroma(decoder: Decoder, strength: usize, at: usize, above: usize, hasLeft: bool): void {
  const stride = decoder.stride;
  const columns = decoder.transposed;
  const limit: i32 = load<u8>(strength, LIMIT);
  const interior: i32 = load<u8>(strength, INTERIOR);
  const variance: i32 = load<u8>(strength, FLAGS) & VARIANCE_MASK;
  const inside = (load<u8>(strength, FLAGS) & INNER_FLAG) !== 0;
  if (hasLeft || inside) {
    const edge = columns + 8 * TRANSPOSED;
    transpose(edge, at, at + 8, stride);
    if (hasLeft) {
      transpose(columns, at - 16, at - 8, stride);
      filterMacroblockEdge(edge - TRANSPOSED, edge, TRANSPOSED, limit + MACROBLOCK_EDGE, interior, variance);
      transposeBack(columns, at - 16, at - 8, stride);
    }
    if (inside) filterInnerEdge(edge + 4 * TRANSPOSED, TRANSPOSED, limit, interior, variance);
    transposeBack(edge, at, at + 8, stride);
  }
  if (above) filterMacroblockEdge(above, at, stride, limit + MACROBLOCK_EDGE, interior, variance);
  if (inside) filterInnerEdge(at + 4 * stride, stride, limit, interior, variance);
}
