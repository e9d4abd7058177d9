/** Decides what the frame header says, after the first reading. */
import { fillPrices } from './prices';
import { chooseProbabilities } from './probabilities';
import { INDEX, makeSegments, SEGMENT_BYTES } from './segments';
import { probability, settleSkipping } from './skipping';
import { Encoder, SEGMENTS } from './state';

/**
 * If the segments' quantisers differ from the most frequent one's by less than this (mean square, relative to
 * that quantiser), they are not worth their map, which takes a twentieth of a file with smooth areas.
 */
const LEAST_APART: f64 = 0.001;

export function settleHeader(encoder: Encoder): void {
  makeSegments(encoder);
  countSegments(encoder);
  settleSkipping(encoder);
  chooseProbabilities(encoder.probabilities, encoder.statistics, encoder.step);
  fillPrices(encoder.prices, encoder.probabilities);
  mergeSegments(encoder);
  const first = count(encoder, 0);
  const second = count(encoder, 1);
  const third = count(encoder, 2);
  const fourth = count(encoder, 3);
  encoder.segmentProbabilities =
    probability(first + second, third + fourth) |
    (probability(first, second) << 8) |
    (probability(third, fourth) << 16);
  encoder.headerBits = 0;
  encoder.blocksLeft = <i64>encoder.columns * encoder.rows;
}

/** Counts the sampled macroblocks of each segment. While they were sampled, segments were still others. */
function countSegments(encoder: Encoder): void {
  for (let value: usize = 0; value < 256; value++) {
    const own = encoder.inSegment + ((<usize>load<u8>(encoder.segmentOf + value)) << 2);
    store<u32>(own, load<u32>(own) + load<u32>(encoder.histogram + (value << 2)));
  }
}

// @inline
function count(encoder: Encoder, segment: usize): u32 {
  return load<u32>(encoder.inSegment + (segment << 2));
}

/** Keeps only the most frequent segment if they hardly differ. */
function mergeSegments(encoder: Encoder): void {
  let most: usize = 0;
  let all: u32 = 0;
  for (let i: usize = 0; i < <usize>SEGMENTS; i++) {
    if (count(encoder, i) > count(encoder, most)) most = i;
    all += count(encoder, i);
  }
  const index = indexOf(encoder, most);
  let apart: f64 = 0;
  for (let i: usize = 0; i < <usize>SEGMENTS; i++) {
    // Factors of the first four indices differ little.
    const difference = <f64>(indexOf(encoder, i) - index) / <f64>(index + 4);
    apart += <f64>count(encoder, i) * difference * difference;
  }
  if (apart > LEAST_APART * <f64>all) return;
  encoder.segmentCount = 1;
  memory.copy(encoder.segments, encoder.segments + most * SEGMENT_BYTES, SEGMENT_BYTES);
}

// @inline
function indexOf(encoder: Encoder, segment: usize): i32 {
  return load<i32>(encoder.segments + segment * SEGMENT_BYTES, INDEX);
}
