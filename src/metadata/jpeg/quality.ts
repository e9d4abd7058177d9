/** The luminance quantisation table of T.81, annex K, table K.1. */
// biome-ignore format: eight by eight, as the standard prints it
const LUMINANCE = [
  16, 11, 10, 16, 24, 40, 51, 61,
  12, 12, 14, 19, 26, 58, 60, 55,
  14, 13, 16, 24, 40, 57, 69, 56,
  14, 17, 22, 29, 51, 87, 80, 62,
  18, 22, 37, 56, 68, 109, 103, 77,
  24, 35, 55, 64, 81, 104, 113, 92,
  49, 64, 78, 87, 103, 121, 120, 101,
  72, 92, 95, 98, 112, 100, 103, 99,
];

/**
 * A quantisation step at a quality, as the Independent JPEG Group scales it (jcparam.c); quality 0 gives the
 * same as 100.
 */
const scaled = (step: number, quality: number): number =>
  Math.min(255, ((step * (quality < 50 ? (5000 / quality) | 0 : 200 - 2 * quality) + 50) / 100) | 0 || 1);

/**
 * The quality at which libjpeg would quantise as coarsely on average: exact for files with its own tables,
 * and for this project's outputs from quality 30; an estimate for other files.
 * @param meanStep of the luminance table
 * @returns 1 to 100
 */
export function jpegQuality(meanStep: number): number {
  // The squared difference between the sum of its steps and that of a table, for each quality.
  const distances = (table: readonly number[]) =>
    [...Array(101).keys()].map(
      (quality) => table.reduce((sum, step) => sum + scaled(step, quality), -64 * meanStep) ** 2,
    );
  // The table of our own outputs (wasm/assembly/jpeg/encode/quantise.ts), as a function of the radius of a
  // frequency.
  const radii = LUMINANCE.map((_, i) => Math.hypot(i & 7, i >> 3));
  const ours = radii.map((r) => (r * (0.28 * r + 5.6) + (r ? 8.5 : 9)) | 0);
  const own = distances(ours).indexOf(0);
  const others = distances(LUMINANCE);
  // From quality 30, no table of libjpeg has the same mean, except at 100.
  return own > 29 ? own : others.lastIndexOf(Math.min(...others));
}
