/** How strongly macroblocks are filtered, by segment and mode (RFC 6386 sections 9.3, 9.6 and 15). */
import { Decoder, SEGMENTS } from './state';

/** A FilterStrength: three bytes. Offsets. */
export const STRENGTH_BYTES: usize = 3;
/**
 * 2 × level + interior limit, 0 for no filter: the limit for inner edges. The macroblock's own edges get 4
 * more.
 */
export const LIMIT: usize = 0;
/** Interior limit: how much neighbours on one side of an edge may differ, 1 to 63. */
export const INTERIOR: usize = 1;
/** The threshold of high edge variance, 0 to 2; and whether inner edges are filtered. */
export const FLAGS: usize = 2;
export const VARIANCE_MASK: i32 = 3;
export const INNER_FLAG: i32 = 4;

function storeStrength(at: usize, level: i32, sharpness: i32, subblocks: bool): void {
  let interior = level;
  if (sharpness > 0) interior = min(interior >> (sharpness > 4 ? 2 : 1), 9 - sharpness);
  interior = max(interior, 1);
  const variance: i32 = level >= 40 ? 2 : level >= 15 ? 1 : 0;
  store<u8>(at, level > 0 ? 2 * level + interior : 0, LIMIT);
  store<u8>(at, interior, INTERIOR);
  store<u8>(at, variance | (subblocks ? INNER_FLAG : 0), FLAGS);
}

/** Computes the strengths, two per segment, from the frame header. */
export function fillStrengths(decoder: Decoder): void {
  for (let segment: usize = 0; segment < SEGMENTS; segment++) {
    const own = load<i32>(decoder.segmentLevels + (segment << 2));
    let level = decoder.filterLevel;
    if (decoder.segmented) level = decoder.segmentsAbsolute ? own : level + own;
    level += decoder.levelDeltaIntra;
    const at = decoder.strengths + segment * 2 * STRENGTH_BYTES;
    storeStrength(at, min(max(level, 0), 63), decoder.sharpness, false);
    level += decoder.levelDeltaSubblocks;
    storeStrength(at + STRENGTH_BYTES, min(max(level, 0), 63), decoder.sharpness, true);
  }
}
