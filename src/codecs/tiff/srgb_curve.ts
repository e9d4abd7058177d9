/** Steps of the curve's table: fine enough to round right but for a few codes near black. */
const STEPS = 1 << 14;

/** IEC 61966-2-1: linear light to code, at 0, 1/STEPS … 1; built at first use. */
let codes: Uint8Array | undefined;

/**
 * Linear light (black 0, white 1) to sRGB code 0 to 255; beyond is cut off, and what is not a number is 0.
 */
export function srgbEncoder(): (linear: number) => number {
  codes ??= Uint8Array.from({ length: STEPS + 1 }, (_, index) => {
    const linear = index / STEPS;
    return Math.round(255 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055));
  });
  const table = codes;
  return (linear) => (linear > 0 ? table[linear < 1 ? Math.round(linear * STEPS) : STEPS]! : 0);
}
