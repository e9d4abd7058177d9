import type { Picture } from '../fixtures/pictures.ts';

/** Three planes of one size: red, green and blue, or X, Y and B. */
export interface Planes {
  readonly width: number;
  readonly height: number;
  readonly of: readonly Float32Array[];
}

export const SCALES = 6;

/** The picture in XYB, whole and halved five times in linear light. */
export function scalesOf({ width, height, pixels }: Picture): Planes[] {
  const linear = [0, 1, 2].map((channel) =>
    Float32Array.from({ length: width * height }, (_, i) => LINEAR[pixels[i * 4 + channel]!]!),
  );
  let planes: Planes = { width, height, of: linear };
  const scales = [xybOf(planes)];
  while (scales.length < SCALES) {
    planes = halved(planes);
    scales.push(xybOf(planes));
  }
  return scales;
}

const LINEAR = Float64Array.from({ length: 256 }, (_, level) => {
  const value = level / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});

/** Means of 2 × 2; the last row and column count twice where a side is odd. */
function halved({ width, height, of }: Planes): Planes {
  const [halfWidth, halfHeight] = [(width + 1) >> 1, (height + 1) >> 1];
  const half = (plane: Float32Array) => {
    const result = new Float32Array(halfWidth * halfHeight);
    for (let y = 0; y < halfHeight; y++) {
      const upper = 2 * y * width;
      const lower = Math.min(2 * y + 1, height - 1) * width;
      for (let x = 0; x < halfWidth; x++) {
        const [left, right] = [2 * x, Math.min(2 * x + 1, width - 1)];
        const sum =
          plane[upper + left]! + plane[upper + right]! + plane[lower + left]! + plane[lower + right]!;
        result[y * halfWidth + x] = sum / 4;
      }
    }
    return result;
  };
  return { width: halfWidth, height: halfHeight, of: of.map(half) };
}

/** JPEG XL's XYB (ISO/IEC 18181-1, annex L), B less Y, each moved into 0 to 1. */
function xybOf({ width, height, of: [red, green, blue] }: Planes): Planes {
  const BIAS = 0.0037930732552754493;
  const root = Math.cbrt(BIAS);
  const planes = [0, 1, 2].map(() => new Float32Array(width * height));
  for (let i = 0; i < width * height; i++) {
    const [r, g, b] = [red![i]!, green![i]!, blue![i]!];
    const long = Math.cbrt(0.3 * r + 0.622 * g + 0.078 * b + BIAS) - root;
    const middle = Math.cbrt(0.23 * r + 0.692 * g + 0.078 * b + BIAS) - root;
    const short =
      Math.cbrt(0.2434226892454782 * r + 0.2047674442449682 * g + 0.5518098665095535 * b + BIAS) - root;
    const luma = (long + middle) / 2;
    planes[0]![i] = ((long - middle) / 2) * 14 + 0.42;
    planes[1]![i] = luma + 0.01;
    planes[2]![i] = short - luma + 0.55;
  }
  return { width, height, of: planes };
}

/** A Gaussian of 1.5 samples in both directions; what is outside counts as 0. */
export function blur(plane: Float32Array, width: number, height: number): Float32Array {
  const across = new Float64Array(plane.length);
  const padded = new Float64Array(width + 2 * REACH);
  for (let y = 0; y < height; y++) {
    padded.set(plane.subarray(y * width, (y + 1) * width), REACH);
    blurLine(padded, across, y * width, width, 1);
  }
  const down = new Float64Array(plane.length);
  const column = new Float64Array(height + 2 * REACH);
  for (let x = 0; x < width; x++) {
    for (let y = 0; y < height; y++) column[y + REACH] = across[y * width + x]!;
    blurLine(column, down, x, height, width);
  }
  return new Float32Array(down);
}

/** @param line with REACH zeros at both ends */
function blurLine(
  line: Float64Array,
  target: Float64Array,
  from: number,
  length: number,
  step: number,
): void {
  const [g0, g1, g2, g3, g4] = GAUSSIAN as unknown as readonly [number, number, number, number, number];
  for (let i = 0, to = from; i < length; i++, to += step) {
    target[to] =
      g0 * line[i + 4]! +
      g1 * (line[i + 3]! + line[i + 5]!) +
      g2 * (line[i + 2]! + line[i + 6]!) +
      g3 * (line[i + 1]! + line[i + 7]!) +
      g4 * (line[i]! + line[i + 8]!);
  }
}

/** Samples to either side that the kernel weighs. */
const REACH = 4;

/**
 * One half of the kernel: a sum of three cosines that end after 5 samples (Charalampidis 2016, "Recursive
 * implementation of the Gaussian filter using truncated cosine functions"), whose shares are those of a true
 * Gaussian, moved as little as gives them a sum of 1 and the Gaussian's variance.
 */
const GAUSSIAN = gaussianOf(1.5, REACH + 1);

function gaussianOf(sigma: number, radius: number): Float64Array {
  const waves = [1, 3, 5].map((k) => (k * Math.PI) / (2 * radius));
  const sums = waves.map((wave, i) => (i === 1 ? -1 : 1) / Math.tan(wave / 2));
  const spreads = waves.map((wave, i) => ((i === 1 ? -1 : 1) * sums[i]! ** 2) / Math.sin(wave));
  const shares = waves.map((wave) => Math.exp((-(sigma ** 2) * wave ** 2) / 2) / radius);
  const dot = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, i) => sum + value * b[i]!, 0);
  const [ss, sp, pp] = [dot(sums, sums), dot(sums, spreads), dot(spreads, spreads)];
  const [short, narrow] = [1 - dot(sums, shares), radius ** 2 - sigma ** 2 - dot(spreads, shares)];
  const determinant = ss * pp - sp * sp;
  const [bySum, bySpread] = [
    (short * pp - narrow * sp) / determinant,
    (narrow * ss - short * sp) / determinant,
  ];
  const moved = shares.map((share, i) => share + bySum * sums[i]! + bySpread * spreads[i]!);
  return Float64Array.from({ length: radius }, (_, n) =>
    dot(
      moved,
      waves.map((wave) => Math.cos(n * wave)),
    ),
  );
}
