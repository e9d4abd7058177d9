import type { Work } from '../scheduling/work.ts';

/** Which source samples make one output sample, and with what weight; for every output sample of one axis. */
export interface FilterTable {
  /** First source index of each output sample. */
  readonly start: Int32Array;
  /** Number of taps of each output sample. */
  readonly count: Int32Array;
  /** Weights, `stride` for each output sample; those of a sample sum to 1. */
  readonly weights: Float32Array;
  readonly stride: number;
}

/** The taps of one output sample: its first source index, and how many. */
interface Sample {
  readonly start: number;
  readonly count: number;
}

/** The work of computing a tap's weight, in pixels: it needs four sines. */
const TAP_WORK = 2;

/** Lobes of the windowed sinc: Lanczos-3 keeps detail with little ringing (Duchon 1979; Turkowski 1990). */
export const LOBES = 3;

function lanczos(x: number): number {
  if (x === 0) return 1;
  if (x <= -LOBES || x >= LOBES) return 0;
  const angle = Math.PI * x;
  return (LOBES * Math.sin(angle) * Math.sin(angle / LOBES)) / (angle * angle);
}

/** The largest number of taps of an output sample when `from` samples become `to`. */
export const maxTaps = (from: number, to: number): number =>
  Math.min(from, Math.ceil(2 * LOBES * Math.max(1, from / to)) + 1);

/** Weights of a sample before they are normalised; grown as needed. */
let unscaled = new Float64Array(64);

/**
 * Lanczos-3 taps of output sample `index` when `from` samples become `to`. If `to` is less, the kernel is
 * stretched by the scale, so that every source sample counts; at the borders it is cut and its weights are
 * normalised again.
 * @param weights takes the sample's weights from `at` on, at most `maxTaps`
 * @param shown how many of the samples become `to`: less than one fewer than `from`
 */
export function lanczosSample(
  from: number,
  to: number,
  index: number,
  weights: Float32Array,
  at = 0,
  shown = from,
): Sample {
  const step = shown / to;
  const scale = Math.max(1, step);
  const radius = LOBES * scale;
  const centre = (index + 0.5) * step;
  const first = Math.max(0, Math.floor(centre - radius + 0.5));
  const last = Math.min(from, Math.floor(centre + radius + 0.5), first + maxTaps(from, to));
  const count = last - first;
  if (count > unscaled.length) unscaled = new Float64Array(count);
  let sum = 0;
  for (let tap = 0; tap < count; tap++) {
    const weight = lanczos((first + tap + 0.5 - centre) / scale);
    unscaled[tap] = weight;
    sum += weight;
  }
  for (let tap = 0; tap < count; tap++) weights[at + tap] = unscaled[tap]! / sum;
  return { start: first, count };
}

/** The taps of all output samples. Yields work on the way, as a wide picture has millions of taps. */
export function* lanczosTaps(from: number, to: number, shown = from): Generator<Work, FilterTable> {
  const stride = maxTaps(from, to);
  const start = new Int32Array(to);
  const count = new Int32Array(to);
  const weights = new Float32Array(to * stride);
  for (let i = 0; i < to; i++) {
    const sample = lanczosSample(from, to, i, weights, i * stride, shown);
    start[i] = sample.start;
    count[i] = sample.count;
    yield sample.count * TAP_WORK;
  }
  return { start, count, weights, stride };
}
