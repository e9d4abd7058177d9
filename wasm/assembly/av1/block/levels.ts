/** Loop filter levels of a block (section 7.14.5); all blocks here count as intra. */
import { MAX_SEGMENTS, quadAt } from '../frame';
import { SEG_ALT_LF_Y_V, segmentHas, segmentValue } from '../header/quantisation';
import { Decoder, Tile } from '../state';

const MAX_LEVEL = 63;

/** Computes each segment's levels, for when superblocks do not change them. */
export function setLevels(d: Decoder): void {
  for (let segment = 0; segment < MAX_SEGMENTS; segment++) {
    let levels: u32 = 0;
    for (let i = 0; i < 4; i++) levels |= (<u32>levelOf(d, segment, i, 0)) << ((<u32>i) << 3);
    store<u32>(d.levels + ((<usize>segment) << 2), levels);
  }
}

/** The four levels of the current block, a byte each, as Mi has them. */
export function blockLevels(d: Decoder, t: Tile): u32 {
  if (!d.deltaLfPresent) return load<u32>(d.levels + ((<usize>d.segmentId) << 2));
  let levels: u32 = 0;
  for (let i = 0; i < 4; i++) {
    const delta = load<i32>(t.deltaLf + (d.deltaLfMulti ? (<usize>i) << 2 : 0));
    levels |= (<u32>levelOf(d, d.segmentId, i, delta)) << ((<u32>i) << 3);
  }
  return levels;
}

function levelOf(d: Decoder, segment: i32, i: i32, delta: i32): i32 {
  let level = clip(delta + quadAt(d.loopFilterLevel, i));
  const feature = SEG_ALT_LF_Y_V + i;
  if (segmentHas(d, segment, feature)) level = clip(level + segmentValue(d, segment, feature));
  if (d.loopFilterDeltaEnabled) level = clip(level + (d.loopFilterIntraDelta << (level >> 5)));
  return level;
}

// @inline
function clip(level: i32): i32 {
  return max(0, min(MAX_LEVEL, level));
}
