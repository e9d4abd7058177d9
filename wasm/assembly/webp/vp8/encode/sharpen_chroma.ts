/**
 * Decoders enlarge chroma by a triangle filter: two samples from each, three quarters of it and a quarter of
 * its neighbour. At sharp changes of colour, such as edges of coloured text, that blurs. So what the filter
 * will take from a sample is added beforehand; only along rows, because down columns it would need the rows
 * below.
 */

/**
 * Changes of fewer eighths of a level than this are left alone: they are mostly noise, whose bits are worth
 * more elsewhere.
 */
const LEAST: i16 = 12;
/**
 * The part that is added, in 16ths: one and a half times an eighth, because the filter blurs the addition
 * too.
 */
const GAIN: i16 = 3;

/** Sharpens samples of U or V, given the ones to their left and right, all as i16. */
// @inline
function sharpened(own: v128, left: v128, right: v128): v128 {
  const taken = i16x8.sub(i16x8.shl(own, 1), i16x8.add(left, right));
  const least = i16x8.splat(LEAST);
  const beyond = i16x8.sub(taken, i16x8.min_s(i16x8.max_s(taken, i16x8.neg(least)), least));
  return i16x8.add(own, i16x8.shr_s(i16x8.add(i16x8.mul(beyond, i16x8.splat(GAIN)), i16x8.splat(8)), 4));
}

/** Sharpens a row of chroma in place: 8 samples of U and 8 of V alternately. */
export function sharpenChromaRow(chroma: usize, columns: i32): void {
  let own = v128.load(chroma);
  let before = v128.shuffle<u8>(own, own, 0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8);
  const last = chroma + ((<usize>(columns - 1)) << 4);
  for (; chroma <= last; chroma += 16) {
    const after =
      chroma < last
        ? v128.load(chroma, 16)
        : v128.shuffle<u8>(own, own, 7, 7, 7, 7, 7, 7, 7, 7, 15, 15, 15, 15, 15, 15, 15, 15);
    const left = v128.shuffle<u8>(before, own, 7, 16, 17, 18, 19, 20, 21, 22, 15, 24, 25, 26, 27, 28, 29, 30);
    const right = v128.shuffle<u8>(own, after, 1, 2, 3, 4, 5, 6, 7, 16, 9, 10, 11, 12, 13, 14, 15, 24);
    const u = sharpened(
      i16x8.extend_low_i8x16_u(own),
      i16x8.extend_low_i8x16_u(left),
      i16x8.extend_low_i8x16_u(right),
    );
    const v = sharpened(
      i16x8.extend_high_i8x16_u(own),
      i16x8.extend_high_i8x16_u(left),
      i16x8.extend_high_i8x16_u(right),
    );
    v128.store(chroma, i8x16.narrow_i16x8_u(u, v));
    before = own;
    own = after;
  }
}
