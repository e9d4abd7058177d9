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

/** The work of computing a tap's weight, in pixels. */
const TAP_WORK = 2;
/** The work of the samples that are computed between two yields. */
const WORK_AT_ONCE = 1024;

/** Lobes of the windowed sinc: Lanczos-3 keeps detail with little ringing (Duchon 1979; Turkowski 1990). */
export const LOBES = 3;

/** Below this angle the kernel is 1: it differs by less than half a unit in the last place of a float. */
const NO_ANGLE = 1e-4;

/** The largest number of taps of an output sample when `from` samples become `to`. */
export const maxTaps = (from: number, to: number): number =>
  Math.min(from, Math.ceil(2 * LOBES * Math.max(1, from / to)) + 1);

/**
 * Lanczos-3 taps of output samples when `from` samples become `to`. If `to` is less, the kernel is stretched
 * by the scale, so that every source sample counts; at the borders it is cut and its weights are normalised
 * again.
 */
export class LanczosFilter {
  readonly #from: number;
  readonly #step: number;
  readonly #scale: number;
  readonly #most: number;
  /** For each tap: sine and cosine of the angle from the first tap, and of a third of it. */
  readonly #turns: Float64Array;
  /** Weights of a sample before they are normalised. */
  readonly #unscaled: Float64Array;

  /** @param shown how many of the samples become `to`: less than one fewer than `from` */
  constructor(from: number, to: number, shown = from) {
    this.#from = from;
    this.#step = shown / to;
    this.#scale = Math.max(1, this.#step);
    this.#most = maxTaps(from, to);
    this.#unscaled = new Float64Array(this.#most);
    this.#turns = new Float64Array(this.#most * 4);
    for (let tap = 0; tap < this.#most; tap++) {
      const angle = (Math.PI * tap) / this.#scale;
      const third = angle / LOBES;
      this.#turns.set([Math.sin(angle), Math.cos(angle), Math.sin(third), Math.cos(third)], tap * 4);
    }
  }

  /**
   * The taps of output sample `index`.
   * @param weights takes the sample's weights from `at` on, at most `maxTaps`
   */
  sample(index: number, weights: Float32Array, at = 0): Sample {
    const scale = this.#scale;
    const turns = this.#turns;
    const unscaled = this.#unscaled;
    const radius = LOBES * scale;
    const centre = (index + 0.5) * this.#step;
    const first = Math.max(0, Math.floor(centre - radius + 0.5));
    const last = Math.min(this.#from, Math.floor(centre + radius + 0.5), first + this.#most);
    const count = last - first;
    // The kernel is 3 sin(a) sin(a / 3) / a². Sines of a sum of angles, so that each sample takes four.
    const start = (Math.PI * (first + 0.5 - centre)) / scale;
    const sine = Math.sin(start);
    const cosine = Math.cos(start);
    const thirdSine = Math.sin(start / LOBES);
    const thirdCosine = Math.cos(start / LOBES);
    let sum = 0;
    for (let tap = 0; tap < count; tap++) {
      const turn = tap * 4;
      const angle = start + (Math.PI * tap) / scale;
      const inner = sine * turns[turn + 1]! + cosine * turns[turn]!;
      const outer = thirdSine * turns[turn + 3]! + thirdCosine * turns[turn + 2]!;
      const size = Math.abs(angle);
      const isOutside = size >= Math.PI * LOBES;
      const weight = size < NO_ANGLE ? 1 : isOutside ? 0 : (LOBES * inner * outer) / (angle * angle);
      unscaled[tap] = weight;
      sum += weight;
    }
    for (let tap = 0; tap < count; tap++) weights[at + tap] = unscaled[tap]! / sum;
    return { start: first, count };
  }
}

/** The taps of all output samples. Yields work on the way, as a wide picture has millions of taps. */
export function* lanczosTaps(from: number, to: number, shown = from): Generator<Work, FilterTable> {
  const filter = new LanczosFilter(from, to, shown);
  const stride = maxTaps(from, to);
  const start = new Int32Array(to);
  const count = new Int32Array(to);
  const weights = new Float32Array(to * stride);
  let work = 0;
  for (let i = 0; i < to; i++) {
    const sample = filter.sample(i, weights, i * stride);
    start[i] = sample.start;
    count[i] = sample.count;
    work += sample.count * TAP_WORK;
    if (work < WORK_AT_ONCE) continue;
    yield work;
    work = 0;
  }
  if (work > 0) yield work;
  return { start, count, weights, stride };
}
