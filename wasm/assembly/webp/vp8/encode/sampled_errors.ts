/**
 * What decoding changes of the samples above is carried from one sampled macroblock row to the next, which
 * may lie elsewhere. Without these errors, smooth pictures seem to need hardly any levels, although in the
 * file each macroblock makes up for those above it: flags and probabilities would suit another picture.
 */

/** Turns unsigned bytes into signed ones that are 128 less, and back. */
const SIGN: i8 = -128;

/**
 * Replaces decoded samples by their errors (i8, saturated).
 * @param above the decoded row; receives the errors
 * @param source the same row of the picture
 * @param bytes of a row, a multiple of 16
 */
export function samplesToErrors(above: usize, source: usize, bytes: usize): void {
  const sign = i8x16.splat(SIGN);
  for (const end = above + bytes; above < end; above += 16, source += 16) {
    const decoded = v128.xor(v128.load(above), sign);
    v128.store(above, i8x16.sub_sat_s(decoded, v128.xor(v128.load(source), sign)));
  }
}

/** Replaces errors by another row's samples with these errors; parameters as in samplesToErrors. */
export function errorsToSamples(above: usize, source: usize, bytes: usize): void {
  const sign = i8x16.splat(SIGN);
  for (const end = above + bytes; above < end; above += 16, source += 16) {
    const samples = v128.xor(v128.load(source), sign);
    v128.store(above, v128.xor(i8x16.add_sat_s(samples, v128.load(above)), sign));
  }
}
