/**
 * The row above a block and the column to its left, AboveRow and LeftCol of section 7.11.2, as u16: as many
 * samples as a mode needs, with missing ones already replaced.
 */
import { IntraBlock } from './intra_block';

/** Extra samples before the first and after the last one of an edge, because vectors reach beyond it. */
const BEFORE: usize = 32;
const EDGE_BYTES: usize = 704;
const buffer: usize = memory.data(2 * 704, 16);

/** Addresses of AboveRow[0] and LeftCol[0]; the corner is before each. */
export const ABOVE: usize = buffer + (BEFORE << 1);
export const LEFT: usize = ABOVE + EDGE_BYTES;

/** Copies AboveRow[0] to AboveRow[count − 1] to ABOVE. @param count at most 128 */
export function takeAbove(block: IntraBlock, count: i32): void {
  if (!block.haveAbove) {
    repeat(ABOVE, 0, count, block.haveLeft ? <i32>load<u16>(block.dst - 2) : middle(block) - 1);
    return;
  }
  const valid = min(block.aboveCount, count);
  for (let at: usize = 0; at < (<usize>valid) << 1; at += 16) {
    v128.store(ABOVE + at, v128.load(block.above + at));
  }
  if (valid < count) repeat(ABOVE, valid, count, sampleAt(ABOVE, valid - 1));
}

/** Copies LeftCol[0] to LeftCol[count − 1] to LEFT. */
export function takeLeft(block: IntraBlock, count: i32): void {
  if (!block.haveLeft) {
    repeat(LEFT, 0, count, block.haveAbove ? <i32>load<u16>(block.above) : middle(block) + 1);
    return;
  }
  const valid = min(block.leftCount, count);
  const stride = block.stride;
  let from = block.dst - 2;
  for (let to = LEFT; to < LEFT + ((<usize>valid) << 1); to += 2, from += stride) {
    store<u16>(to, load<u16>(from));
  }
  if (valid < count) repeat(LEFT, valid, count, sampleAt(LEFT, valid - 1));
}

/** AboveRow[−1], which is LeftCol[−1]. */
export function corner(block: IntraBlock): i32 {
  if (block.haveAbove) return load<u16>(block.haveLeft ? block.above - 2 : block.above);
  return block.haveLeft ? <i32>load<u16>(block.dst - 2) : middle(block);
}

/** The sample of an edge at a place from −1 on. */
// @inline
export function sampleAt(edge: usize, index: i32): i32 {
  return load<u16>(edge + <usize>(index << 1));
}

/** Writes `value` from index `from` up to `to`, exclusive; up to 7 more may be written. */
export function repeat(edge: usize, from: i32, to: i32, value: i32): void {
  const values = i16x8.splat(<i16>value);
  const end = edge + <usize>(to << 1);
  for (let at = edge + <usize>(from << 1); at < end; at += 16) v128.store(at, values);
}

// @inline
function middle(block: IntraBlock): i32 {
  return 1 << (block.bitDepth - 1);
}
