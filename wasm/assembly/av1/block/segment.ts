/** Segment ids (sections 5.11.8 and 5.11.9). */
import { SEGMENT_ID } from '../cdf/offsets';
import * as Av1Fault from '../faults';
import { Decoder, Tile } from '../state';
import { readSymbol8 } from '../symbol';

/** Address of a 4 × 4 block's entry in the segment map, in this superblock row or the row above it. */
// @inline
function segmentAt(d: Decoder, row: i32, column: i32): usize {
  const inRow = row - d.superblockRow * d.superblockMi + 1;
  return d.segments + <usize>(inRow * d.mapStride + column);
}

/**
 * read_segment_id: predicted from neighbours if the block is skipped, else coded as a difference from that.
 */
export function readSegmentId(d: Decoder, t: Tile): void {
  const at = segmentAt(d, d.miRow, d.miCol);
  const stride = <usize>d.mapStride;
  const above = d.availU ? <i32>load<u8>(at - stride) : -1;
  const left = d.availL ? <i32>load<u8>(at - 1) : -1;
  const corner = d.availU && d.availL ? <i32>load<u8>(at - stride - 1) : -1;
  let predicted = 0;
  if (above < 0) predicted = left < 0 ? 0 : left;
  else if (left < 0) predicted = above;
  else predicted = corner === above ? above : left;
  if (d.skip) {
    d.segmentId = predicted;
    return;
  }
  let context: usize = 0;
  if (corner >= 0) {
    if (corner === above && corner === left) context = 2;
    else if (corner === above || corner === left || above === left) context = 1;
  }
  const coded = readSymbol8(t, t.cdf + SEGMENT_ID + (context << 4), 7);
  const id = undoInterleaving(coded, predicted, d.lastActiveSegId + 1);
  if (id < 0 || id > d.lastActiveSegId) {
    d.fault = Av1Fault.BAD_TILE;
    d.segmentId = 0;
  } else d.segmentId = id;
}

/** neg_deinterleave: small codes are values near `near`, alternately above and below it. */
function undoInterleaving(code: i32, near: i32, limit: i32): i32 {
  if (near === 0) return code;
  if (near >= limit - 1) return limit - code - 1;
  const low = 2 * near < limit;
  const reach = low ? 2 * near : 2 * (limit - near - 1);
  if (code <= reach) return code & 1 ? near + ((code + 1) >> 1) : near - (code >> 1);
  return low ? code : limit - (code + 1);
}

/** Writes the current block's segment to the map. */
export function keepSegmentId(d: Decoder): void {
  let at = segmentAt(d, d.miRow, d.miCol);
  for (let i = 0; i < d.bh4; i++, at += <usize>d.mapStride) {
    memory.fill(at, <u8>d.segmentId, <usize>d.bw4);
  }
}

/** Begins a superblock row: the former lowest row becomes the row above. */
export function startSegmentRow(d: Decoder): void {
  const stride = <usize>d.mapStride;
  memory.copy(d.segments, d.segments + stride * <usize>d.superblockMi, stride);
}
