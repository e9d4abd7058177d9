/** The luminance quantisation table of T.81, annex K, table K.1. */
const LUMINANCE = [
  [16, 11, 10, 16, 24, 40, 51, 61],
  [12, 12, 14, 19, 26, 58, 60, 55],
  [14, 13, 16, 24, 40, 57, 69, 56],
  [14, 17, 22, 29, 51, 87, 80, 62],
  [18, 22, 37, 56, 68, 109, 103, 77],
  [24, 35, 55, 64, 81, 104, 113, 92],
  [49, 64, 78, 87, 103, 121, 120, 101],
  [72, 92, 95, 98, 112, 100, 103, 99],
].flat();

/** Mean step of that table at each quality from 1, as the Independent JPEG Group scales it (jcparam.c). */
const MEAN_STEPS = Array.from({ length: 100 }, (_, i) => {
  const quality = i + 1;
  const percent = quality < 50 ? Math.floor(5000 / quality) : 200 - 2 * quality;
  const steps = LUMINANCE.map((step) => Math.min(255, Math.max(1, Math.floor((step * percent + 50) / 100))));
  return steps.reduce((sum, step) => sum + step, 0) / steps.length;
});

/**
 * The quality at which libjpeg would quantise as coarsely on average: exact for files of its own tables, an
 * estimate for those of others.
 * @param meanStep of the luminance table
 * @returns 1 to 100
 */
export function jpegQuality(meanStep: number): number {
  const distances = MEAN_STEPS.map((mean) => Math.abs(mean - meanStep));
  return distances.lastIndexOf(Math.min(...distances)) + 1;
}
