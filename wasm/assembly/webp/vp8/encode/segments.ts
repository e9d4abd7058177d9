/**
 * Segments: macroblocks are grouped in four by how well they can be predicted; plainer ones are quantised
 * finer. How a quality becomes quantisers, and how far segments differ, follows libwebp's encoder with its
 * defaults (`sns_strength` 50, sharpness 0), so that qualities keep their meaning.
 */
import { acFactor, chromaDcFactor, dcFactor, y2AcFactor } from '../common/factors';
import { fillTable, TABLE_BYTES } from './quantise';
import { Encoder, SEGMENTS } from './state';

/**
 * A segment: i32 quantiser index, i32 filter level, f64 what a 256th of a bit is worth in squared error;
 * tables.
 */
export const INDEX: usize = 0;
export const LEVEL: usize = 4;
export const LAMBDA: usize = 8;
/** i32: roughly what a coefficient of 1 costs, in 65536ths of a bit. */
export const ESTIMATE_WEIGHT: usize = 16;
/** f64: what a step of texture (texture.ts) is worth in squared error. */
export const TEXTURE: usize = 24;
export const LUMA_TABLE: usize = 32;
export const Y2_TABLE: usize = LUMA_TABLE + TABLE_BYTES;
export const CHROMA_TABLE: usize = Y2_TABLE + TABLE_BYTES;
export const SEGMENT_BYTES: usize = CHROMA_TABLE + TABLE_BYTES;

/** Squared error that a bit is worth, relative to the square of luma's AC factor. */
export const ERROR_OF_BIT: f64 = 0.0216;
/** What a step of texture is worth in squared error, relative to luma's AC factor: libwebp's default. */
const TEXTURE_WEIGHT: f64 = 1.5625 / 8192;
/** Roughly what a coefficient as large as luma's AC factor costs, in 65536ths of a bit. */
const COEFFICIENT_PRICE: i32 = 76800;
/**
 * The largest index is 127. Indices are a little finer than libwebp's, to make up for the quality and length
 * that refine.ts takes away.
 */
const INDICES: f64 = 127 * 0.92;

/**
 * How far segments differ: 0.82 of libwebp's 0.9 × 50 / 100 / 128, since errors are weighed as well
 * (error_weights.ts).
 */
const SPREAD: f64 = (0.82 * 0.9 * 0.5) / 128;
/**
 * Strength of the loop filter: 1.2 times libwebp's 5 × 60 where quantisation is fine, more where it is
 * coarser, since refine.ts leaves less that the filter could blur. Pictures with alpha get libwebp's: more
 * would blend transparent samples into the visible ones beside them.
 */
const FILTER_STRENGTH: i32 = 360;
const FILTER_STRENGTH_BY_AC: i32 = 36;
const FINE_AC: i32 = 17;
const MOST_FILTER_STRENGTH: i32 = 504;
const FILTER_STRENGTH_WITH_ALPHA: i32 = 300;
const MAX_LEVEL: i32 = 63;

/** Chroma is quantised coarser by this, and luma gets what that saves: structure is seen in luma. */
const CHROMA_COARSER: i32 = 2;
/** The most indices by which strong chroma is quantised coarser: libwebp has 6. */
const MOST_CHROMA_COARSER: i32 = 12;

/**
 * Susceptibilities count as this far apart at least: in smooth pictures all are within a few of each other,
 * and a map of such differences took up to a quarter of the file.
 */
const LEAST_SPAN: i32 = 128;

const ITERATIONS: i32 = 6;
const CENTRES: usize = memory.data(16, 16);
const SUMS: usize = memory.data(32, 16);

/** Makes segments from the histogram, by k-means of the susceptibilities, 0 to 255. */
export function makeSegments(encoder: Encoder): void {
  const histogram = encoder.histogram;
  let lowest: i32 = 0;
  let highest: i32 = 255;
  while (lowest < 255 && load<u32>(histogram + ((<usize>lowest) << 2)) === 0) lowest++;
  while (highest > lowest && load<u32>(histogram + ((<usize>highest) << 2)) === 0) highest--;
  const range = highest - lowest;
  for (let i = 0; i < SEGMENTS; i++) {
    store<i32>(CENTRES + ((<usize>i) << 2), lowest + ((2 * i + 1) * range) / (2 * SEGMENTS));
  }
  let middle: i32 = 0;
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    memory.fill(SUMS, 0, 32);
    let segment: i32 = 0;
    for (let value = lowest; value <= highest; value++) {
      while (segment + 1 < SEGMENTS && nearer(value, segment + 1, segment)) segment++;
      store<u8>(encoder.segmentOf + <usize>value, segment);
      const number = load<u32>(histogram + ((<usize>value) << 2));
      const at = SUMS + ((<usize>segment) << 3);
      store<u32>(at, load<u32>(at) + number * value);
      store<u32>(at, load<u32>(at, 4) + number, 4);
    }
    let moved: i32 = 0;
    let weighted: u32 = 0;
    let total: u32 = 0;
    for (let i: usize = 0; i < <usize>SEGMENTS; i++) {
      const number = load<u32>(SUMS + (i << 3), 4);
      if (number === 0) continue;
      const centre = <i32>((load<u32>(SUMS + (i << 3)) + (number >> 1)) / number);
      moved += abs(centre - load<i32>(CENTRES + (i << 2)));
      store<i32>(CENTRES + (i << 2), centre);
      weighted += <u32>centre * number;
      total += number;
    }
    middle = total > 0 ? <i32>((weighted + (total >> 1)) / total) : 0;
    if (moved < 5) break;
  }
  for (let value = 0; value < lowest; value++) store<u8>(encoder.segmentOf + <usize>value, 0);
  for (let value = highest + 1; value < 256; value++) {
    store<u8>(encoder.segmentOf + <usize>value, load<u8>(encoder.segmentOf + <usize>highest));
  }
  setChromaDeltas(encoder);
  const first = load<i32>(CENTRES);
  const last = load<i32>(CENTRES + 12);
  const span = max(last - first, LEAST_SPAN);
  for (let i = 0; i < SEGMENTS; i++) {
    const centre = load<i32>(CENTRES + ((<usize>i) << 2));
    const susceptibility = min(max((255 * (centre - middle)) / span, -127), 127);
    const activity = min(max((255 * (centre - first)) / span, 0), 255);
    setSegment(encoder, i, susceptibility, activity);
  }
}

// @inline
function nearer(value: i32, one: i32, other: i32): bool {
  return (
    abs(value - load<i32>(CENTRES + ((<usize>one) << 2))) <
    abs(value - load<i32>(CENTRES + ((<usize>other) << 2)))
  );
}

/**
 * Sets the chroma quantisers: coarser where chroma is hard to predict, finer where it is easy, as in libwebp,
 * but up to twice as much coarser: areas of saturated colours with sharp edges have chroma as strong as luma,
 * and sharpening (sharpen_chroma.ts) adds to it. Then coarser by CHROMA_COARSER.
 */
function setChromaDeltas(encoder: Encoder): void {
  const mean = encoder.analysed > 0 ? <i32>(encoder.chromaSum / encoder.analysed) : 0;
  encoder.chromaAcDelta = min(max(((mean - 64) * 10) / 70 / 2, -4), MOST_CHROMA_COARSER) + CHROMA_COARSER;
  encoder.chromaDcDelta = -2;
}

/** The quantiser index of a segment. @param susceptibility −127 to 127 */
export function indexFor(quality: i32, susceptibility: i32): i32 {
  const part = <f64>quality / 100;
  const linear = part < 0.75 ? part * (2.0 / 3.0) : 2 * part - 1;
  const fineness = Math.cbrt(linear) ** (1 - SPREAD * <f64>susceptibility);
  return min(max(<i32>(INDICES * (1 - fineness)), 0), 127);
}

// @inline
function filterStrength(encoder: Encoder, ac: i32): i32 {
  if (encoder.alpha) return FILTER_STRENGTH_WITH_ALPHA;
  const more = FILTER_STRENGTH_BY_AC * max(ac - FINE_AC, 0);
  return min(FILTER_STRENGTH + more, MOST_FILTER_STRENGTH);
}

function setSegment(encoder: Encoder, segment: i32, susceptibility: i32, activity: i32): void {
  const index = indexFor(encoder.quality, susceptibility);
  const at = encoder.segments + <usize>segment * SEGMENT_BYTES;
  const ac = acFactor(index);
  store<i32>(at, index, INDEX);
  const level = ((ac >> 2) * filterStrength(encoder, ac)) / (256 + activity);
  store<i32>(at, level < 2 ? 0 : min(level, MAX_LEVEL), LEVEL);
  store<f64>(at, (ERROR_OF_BIT / 256) * <f64>(ac * ac), LAMBDA);
  store<f64>(at, TEXTURE_WEIGHT * <f64>ac, TEXTURE);
  store<i32>(at, COEFFICIENT_PRICE / ac, ESTIMATE_WEIGHT);
  fillTable(at + LUMA_TABLE, dcFactor(index), ac, 126, 126);
  fillTable(at + Y2_TABLE, dcFactor(index) * 2, y2AcFactor(index), 100, 118);
  fillTable(
    at + CHROMA_TABLE,
    chromaDcFactor(index + encoder.chromaDcDelta),
    acFactor(index + encoder.chromaAcDelta),
    110,
    122,
  );
}
