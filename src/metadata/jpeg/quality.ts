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
 * How far the mean step is from that of the table, at each quality from 1, as the Independent JPEG Group
 * scales it (jcparam.c).
 */
const distances = (meanStep: number, table: readonly number[]): number[] =>
  Array.from({ length: 100 }, (_, i) => {
    const percent = i < 49 ? (5000 / (i + 1)) | 0 : 198 - 2 * i;
    const sum = table.reduce((all, step) => all + Math.min(255, ((step * percent + 50) / 100) | 0 || 1), 0);
    return Math.abs(sum / 64 - meanStep);
  });

/**
 * The quality at which libjpeg would quantise as coarsely on average: exact for files of its own tables, and
 * for this project's outputs from quality 30; an estimate for those of others.
 * @param meanStep of the luminance table
 * @returns 1 to 100
 */
export function jpegQuality(meanStep: number): number {
  // The table of our own outputs is flatter (wasm/assembly/jpeg/encode/quantise.ts).
  const flatter = LUMINANCE.map((step) => Math.round(step ** 0.8 * 30 ** 0.2));
  const own = distances(meanStep, flatter).indexOf(0) + 1;
  const others = distances(meanStep, LUMINANCE);
  // From 30 on libjpeg has no such mean but at 100.
  return own >= 30 ? own : others.lastIndexOf(Math.min(...others)) + 1;
}
