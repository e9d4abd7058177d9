/** What the frame header says, settled after the first reading. */
import { fillPrices } from './prices';
import { chooseProbabilities } from './probabilities';
import { INDEX, LEVEL, makeSegments, SEGMENT_BYTES } from './segments';
import { Encoder, SEGMENTS } from './state';

/** Skipping is signalled where this part of all macroblocks, in 256ths, is empty at least. */
const LEAST_EMPTY: i32 = 6;
/** Probabilities are kept within these bounds, so that even what was never seen costs four bits at most. */
const LOWEST: i32 = 16;
const HIGHEST: i32 = 240;

export function settleHeader(encoder: Encoder): void {
  makeSegments(encoder);
  chooseProbabilities(encoder.probabilities, encoder.statistics, encoder.step);
  fillPrices(encoder.prices, encoder.probabilities);
  if (!segmentsDiffer(encoder)) encoder.segmentCount = 1;
  const first = count(encoder, 0);
  const second = count(encoder, 1);
  const third = count(encoder, 2);
  const fourth = count(encoder, 3);
  encoder.segmentProbabilities =
    probability(first + second, third + fourth) |
    (probability(first, second) << 8) |
    (probability(third, fourth) << 16);
  const sampled = max<u32>(encoder.sampled, 1);
  encoder.skipping = <i32>((encoder.empty * 256) / sampled) >= LEAST_EMPTY;
  encoder.skipProbability = <i32>probability(encoder.sampled - encoder.empty, encoder.empty);
  encoder.headerBits = 0;
  encoder.blocksLeft = <i64>encoder.columns * encoder.rows;
}

// @inline
function count(encoder: Encoder, segment: usize): u32 {
  return load<u32>(encoder.inSegment + (segment << 2));
}

function probability(zeros: u32, ones: u32): u32 {
  const total = max<u32>(zeros + ones, 1);
  return <u32>min(max(<i32>((<u64>zeros * 256) / total), LOWEST), HIGHEST);
}

function segmentsDiffer(encoder: Encoder): bool {
  const first = encoder.segments;
  for (let i = 1; i < SEGMENTS; i++) {
    const own = encoder.segments + <usize>i * SEGMENT_BYTES;
    if (load<i32>(own, INDEX) !== load<i32>(first, INDEX)) return true;
    if (load<i32>(own, LEVEL) !== load<i32>(first, LEVEL)) return true;
  }
  return false;
}
