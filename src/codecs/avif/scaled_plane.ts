import type { ColumnRange } from '../../core/av1/columns.ts';
import { ROW_SLACK } from '../../core/constants.ts';
import type { Core } from '../../core/instance.ts';
import { Scratch } from '../../core/scratch.ts';
import { scratchBytes } from '../../core/sizes.ts';
import { decodingFault } from '../../faults.ts';
import { rowsWork } from '../../scheduling/work.ts';
import type { Size, Work } from '../types.ts';
import type { PlanePicture, PlaneRows } from './planes.ts';

/** Largest ratio of two sides: nobody stores alpha at less than an eighth of the picture. */
const MOST_RATIO = 8;

/** Whether a plane can be brought to a size. */
export const isScalable = (from: Size, to: Size): boolean =>
  [
    [from.width, to.width],
    [from.height, to.height],
  ].every(([a, b]) => a! <= b! * MOST_RATIO && b! <= a! * MOST_RATIO);

/** The weights of source samples for each sample of a side. */
interface Taps {
  /** Samples that one is made of. */
  readonly count: number;
  /** The first of them, which with the others lies inside the source. */
  readonly first: Int32Array;
  /** Of sample i at i × count. */
  readonly weights: Float32Array;
}

/** Linear interpolation between centres of samples to a longer side, means of what is covered else. */
function tapsOf(from: number, to: number): Taps {
  const scale = from / to;
  const count = Math.min(from, scale > 1 ? Math.ceil(scale) + 1 : 2);
  const first = new Int32Array(to);
  const weights = new Float32Array(to * count);
  for (let i = 0; i < to; i++) {
    const [start, end] = scale > 1 ? [i * scale, (i + 1) * scale] : [(i + 0.5) * scale - 0.5, 0];
    const at = Math.min(Math.max(0, Math.floor(start)), from - count);
    first[i] = at;
    for (let tap = 0; tap < count; tap++) {
      const sample = at + tap;
      const covered = Math.min(sample + 1, end) - Math.max(sample, start);
      const clamped = Math.min(Math.max(start, 0), from - 1);
      const near = 1 - Math.abs(sample - clamped);
      weights[i * count + tap] = Math.max(0, scale > 1 ? covered / scale : near);
    }
  }
  return { count, first, weights };
}

const rowBytes = ({ width }: Size) => width * 2 + ROW_SLACK;

/** Bytes that a read reserves: a row in the core; kept rows and weights outside of it. */
export function scaledPlaneBytes(from: Size, to: Size): { readonly own: number; readonly elsewhere: number } {
  const taps = (a: number, b: number) => Math.ceil(a / b) + 1;
  const weights = to.width * taps(from.width, to.width) + to.height * taps(from.height, to.height);
  const rows = to.width * (taps(from.height, to.height) + 1);
  return { own: scratchBytes([rowBytes(to)]), elsewhere: 4 * (weights + to.width + to.height + rows) };
}

/** A plane without colour, brought to another size row by row: MIAF (ISO/IEC 23000-22) §7.3.5.2. */
export class ScaledPlane implements PlanePicture {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly monochrome = true;
  readonly subX = 0;
  readonly subY = 0;
  readonly #core: Core;
  readonly #source: PlanePicture;

  constructor(core: Core, source: PlanePicture, { width, height }: Size) {
    [this.width, this.height, this.depth] = [width, height, source.depth];
    this.#core = core;
    this.#source = source;
  }

  /** Decodes all columns, whatever the range. */
  *rows(range?: ColumnRange): Generator<PlaneRows | Work> {
    const { width, height } = this;
    const source = this.#source;
    const across = tapsOf(source.width, width);
    const down = tapsOf(source.height, height);
    using scratch = new Scratch(this.#core, [rowBytes(this)]);
    const place = scratch.places[0]!;
    // The last rows of the source, as wide as the result; row n is at n modulo their count.
    const kept = new Float32Array(width * down.count);
    const sum = new Float32Array(width);
    let read = 0;
    let y = 0;
    for (const batch of source.rows()) {
      if (typeof batch === 'number') {
        yield batch;
        continue;
      }
      for (; read < batch.y + batch.rows; read++) {
        const { at, stride } = batch.planes[0]!;
        const samples = this.#samples(at + (read - batch.y) * stride, source.width);
        const start = (read % down.count) * width;
        spread(samples, across, kept.subarray(start, start + width));
        yield rowsWork(1, source.width);
        for (; y < height && down.first[y]! + down.count - 1 <= read; y++) {
          sum.fill(0);
          for (let tap = 0; tap < down.count; tap++) {
            const weight = down.weights[y * down.count + tap]!;
            const from = ((down.first[y]! + tap) % down.count) * width;
            for (let x = 0; x < width; x++) sum[x]! += weight * kept[from + x]!;
          }
          const out = this.#samples(place, width);
          for (let x = 0; x < width; x++) out[x] = sum[x]! + 0.5;
          yield rowsWork(1, width);
          yield { y, rows: 1, planes: [{ at: place + (range?.from ?? 0) * 2, stride: rowBytes(this) }] };
        }
      }
    }
    if (y < height) throw decodingFault(`The alpha of the AVIF ends at row ${y} of ${height}`);
  }

  /** A view of samples in the core, which is replaced when its memory grows. */
  #samples(at: number, count: number): Uint16Array {
    return new Uint16Array(this.#core.exports.memory.buffer, at, count);
  }
}

/** Brings a row to another width. */
function spread(from: Uint16Array, { count, first, weights }: Taps, to: Float32Array): void {
  for (let x = 0; x < to.length; x++) {
    let sum = 0;
    for (let tap = 0; tap < count; tap++) sum += weights[x * count + tap]! * from[first[x]! + tap]!;
    to[x] = sum;
  }
}
