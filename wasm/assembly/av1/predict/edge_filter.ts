/** Smoothing and upsampling of edges before directional prediction (sections 7.11.2.9 to 7.11.2.12). */
import { repeat, sampleAt } from './edges';

/** Weights of Intra_Edge_Kernel by strength 1 to 3, from the middle outwards. */
const KERNELS: usize = memory.data<u8>([8, 4, 0, 6, 5, 0, 4, 4, 2]);
/** The longest edge with what its filter reads beyond, as it was. */
const original: usize = memory.data(2 * (8 + 128 + 24), 16);
const FIRST: usize = original + 16;

/**
 * Intra edge filter strength, 0 to 3.
 * @param extent width plus height
 * @param d degrees between the direction and the edge's own
 */
export function edgeStrength(extent: i32, d: i32, isSmooth: bool): i32 {
  if (isSmooth) {
    if (extent <= 8) return d >= 64 ? 2 : d >= 40 ? 1 : 0;
    if (extent <= 16) return d >= 48 ? 2 : d >= 20 ? 1 : 0;
    if (extent <= 24) return d >= 4 ? 3 : 0;
    return 3;
  }
  if (extent <= 8) return d >= 56 ? 1 : 0;
  if (extent <= 16) return d >= 40 ? 1 : 0;
  if (extent <= 24) return d >= 32 ? 3 : d >= 16 ? 2 : d >= 8 ? 1 : 0;
  if (extent <= 32) return d >= 32 ? 3 : d >= 4 ? 2 : 1;
  return 3;
}

/** Whether an edge gets twice as many samples; parameters as above. */
export function isUpsampled(extent: i32, d: i32, isSmooth: bool): bool {
  return d > 0 && d < 40 && extent <= (isSmooth ? 8 : 16);
}

/**
 * Filters samples 0 to count − 1 of an edge, using the one before the first too. Samples from `count` to
 * `total` keep their value, which is the same for all of them.
 * @param count 1 to 128
 */
export function filterEdge(edge: usize, count: i32, total: i32, strength: i32): void {
  const kernel = KERNELS + <usize>(strength * 3 - 3);
  const middle = i16x8.splat(<i16>load<u8>(kernel));
  const near = i16x8.splat(<i16>load<u8>(kernel, 1));
  const far = i16x8.splat(<i16>load<u8>(kernel, 2));
  const bytes = (<usize>count) << 1;
  for (let at: usize = 0; at < bytes; at += 16) v128.store(FIRST + at, v128.load(edge + at));
  const beyond = sampleAt(edge, count);
  const last = <u16>sampleAt(edge, count - 1);
  const first = <u16>sampleAt(edge, -1);
  store<u16>(FIRST - 2, first);
  store<u16>(FIRST - 4, first);
  store<u16>(FIRST + bytes, last);
  store<u16>(FIRST + bytes + 2, last);
  for (let at: usize = 0; at < bytes; at += 16) {
    const from = FIRST + at;
    const inner = i16x8.add(v128.load(from - 2), v128.load(from + 2));
    const outer = i16x8.add(v128.load(from - 4), v128.load(from + 4));
    // 16 times a sample of 12 bits fits into 16 bits without sign.
    const sum = i16x8.add(
      i16x8.add(i16x8.mul(v128.load(from), middle), i16x8.mul(inner, near)),
      i16x8.add(i16x8.mul(outer, far), i16x8.splat(8)),
    );
    v128.store(edge + at, i16x8.shr_u(sum, 4));
  }
  if (count < total) repeat(edge, count, total, beyond);
}

/**
 * Doubles the samples −1 to count − 1 of an edge to −2 to 2 · count − 2.
 * @param count 4 to 16
 */
export function upsampleEdge(edge: usize, count: i32, bitDepth: i32): void {
  const highest: i32 = (1 << bitDepth) - 1;
  const most = i16x8.splat(<i16>highest);
  const first = <u16>sampleAt(edge, -1);
  store<u16>(edge - 4, first);
  store<u16>(edge + ((<usize>count) << 1), <u16>sampleAt(edge, count - 1));
  // From the end backwards, because what is written lies beyond what is still to be read.
  for (let i = (count - 1) & ~7; i >= 0; i -= 8) {
    const from = edge + ((<usize>i) << 1);
    const own = v128.load(from);
    const inner = i16x8.add(v128.load(from - 2), own);
    const outer = i16x8.add(v128.load(from - 4), v128.load(from + 2));
    // (9 · inner − outer + 8) / 16 in 16 bits: inner / 2 plus a sixteenth of its difference to outer.
    const more = i16x8.shr_s(i16x8.add(i16x8.sub(inner, outer), i16x8.splat(8)), 3);
    const between = i16x8.max_s(i16x8.min_s(i16x8.shr_s(i16x8.add(inner, more), 1), most), i16x8.splat(0));
    const to = edge - 2 + ((<usize>i) << 2);
    v128.store(to + 16, v128.shuffle<i16>(between, own, 4, 12, 5, 13, 6, 14, 7, 15));
    v128.store(to, v128.shuffle<i16>(between, own, 0, 8, 1, 9, 2, 10, 3, 11));
  }
}
