import type { Raster, Size, Strip } from '../codecs/types.ts';
import { type FilterTable, shrinkFilter } from './filter.ts';

/** Output rows gathered into one strip. */
const STRIP_ROWS = 16;

/** The size under a width cap: never enlarged, the aspect kept to the nearest whole row. */
export function sizeUnder(maxWidth: number | undefined, { width, height }: Size): Size {
  if (maxWidth === undefined || width <= maxWidth) return { width, height };
  return { width: maxWidth, height: Math.max(1, Math.round((height * maxWidth) / width)) };
}

/** Bytes that `shrink` holds: the rolling window of narrowed rows, the filters and one strip. */
export function shrinkCost(from: Size, to: Size): number {
  if (from.width === to.width && from.height === to.height) return 0;
  const taps = (a: number, b: number) => Math.min(a, Math.ceil((6 * a) / b) + 1);
  const open = Math.ceil(taps(from.height, to.height) / (from.height / to.height)) + 2;
  const filters = to.width * taps(from.width, to.width) + to.height * taps(from.height, to.height);
  return open * to.width * 16 + to.width * 16 + filters * 4 + STRIP_ROWS * to.width * 4;
}

/**
 * The image shrunk to `to` by a separable Lanczos-3 in premultiplied alpha: each row is narrowed as it arrives and added at
 * once, weighted, to the few output rows it belongs to, so only those are held.
 */
export function shrink(source: Raster, to: Size): Raster {
  if (source.width === to.width && source.height === to.height) return source;
  return {
    width: to.width,
    height: to.height,
    opaque: source.opaque,
    grey: source.grey,
    strips: () => shrunkStrips(source, to),
  };
}

function* shrunkStrips(source: Raster, to: Size): Generator<Strip> {
  const across = shrinkFilter(source.width, to.width);
  const down = shrinkFilter(source.height, to.height);
  const samples = to.width * 4;
  const narrowed = new Float32Array(samples);
  const open = new OpenRows(samples);
  const pixels = new Uint8Array(STRIP_ROWS * samples);
  let filled = 0;
  let done = 0;
  let begun = 0;
  for (const strip of source.strips()) {
    if (!source.opaque) premultiply(strip.pixels);
    for (let row = 0; row < strip.rows; row++) {
      const y = strip.y + row;
      narrowRow(strip.pixels, row * source.width * 4, across, narrowed);
      while (begun < to.height && down.start[begun]! <= y) open.begin(begun++);
      for (let target = done; target < begun; target++) {
        const tap = y - down.start[target]!;
        if (tap < down.count[target]!) {
          addWeighted(open.row(target), narrowed, down.weights[target * down.stride + tap]!);
        }
      }
      while (done < begun && down.start[done]! + down.count[done]! <= y + 1) {
        storeRow(open.end(done), pixels.subarray(filled * samples), source.opaque);
        done++;
        if (++filled === STRIP_ROWS) {
          yield { y: done - filled, rows: filled, pixels };
          filled = 0;
        }
      }
    }
  }
  if (filled > 0) yield { y: done - filled, rows: filled, pixels: pixels.subarray(0, filled * samples) };
}

/** The output rows that still wait for source rows; finished ones are used again. */
class OpenRows {
  readonly #rows = new Map<number, Float32Array>();
  readonly #free: Float32Array[] = [];
  constructor(private readonly samples: number) {}

  begin(target: number): void {
    const row = this.#free.pop() ?? new Float32Array(this.samples);
    row.fill(0);
    this.#rows.set(target, row);
  }

  row(target: number): Float32Array {
    return this.#rows.get(target)!;
  }

  end(target: number): Float32Array {
    const row = this.row(target);
    this.#rows.delete(target);
    this.#free.push(row);
    return row;
  }
}

/** Colour times alpha, in place: transparent pixels must not lend their colour to their neighbours. */
function premultiply(pixels: Uint8Array): void {
  for (let i = 0; i + 3 < pixels.length; i += 4) {
    const alpha = pixels[i + 3]!;
    if (alpha === 255) continue;
    pixels[i] = (pixels[i]! * alpha + 127) / 255;
    pixels[i + 1] = (pixels[i + 1]! * alpha + 127) / 255;
    pixels[i + 2] = (pixels[i + 2]! * alpha + 127) / 255;
  }
}

function narrowRow(pixels: Uint8Array, offset: number, filter: FilterTable, out: Float32Array): void {
  const { start, count, weights, stride } = filter;
  for (let i = 0; i < start.length; i++) {
    let red = 0;
    let green = 0;
    let blue = 0;
    let alpha = 0;
    let from = offset + start[i]! * 4;
    const end = i * stride + count[i]!;
    for (let tap = i * stride; tap < end; tap++) {
      const weight = weights[tap]!;
      red += weight * pixels[from]!;
      green += weight * pixels[from + 1]!;
      blue += weight * pixels[from + 2]!;
      alpha += weight * pixels[from + 3]!;
      from += 4;
    }
    const to = i * 4;
    out[to] = red;
    out[to + 1] = green;
    out[to + 2] = blue;
    out[to + 3] = alpha;
  }
}

function addWeighted(sum: Float32Array, row: Float32Array, weight: number): void {
  for (let i = 0; i < sum.length; i++) sum[i] = sum[i]! + weight * row[i]!;
}

/** Rounds, clamps (Lanczos overshoots) and divides the alpha out again. */
function storeRow(sum: Float32Array, out: Uint8Array, opaque: boolean): void {
  for (let i = 0; i < sum.length; i += 4) {
    const alpha = opaque ? 255 : clampByte(sum[i + 3]!);
    const scale = opaque ? 1 : alpha === 0 ? 0 : 255 / sum[i + 3]!;
    out[i] = clampByte(sum[i]! * scale);
    out[i + 1] = clampByte(sum[i + 1]! * scale);
    out[i + 2] = clampByte(sum[i + 2]! * scale);
    out[i + 3] = alpha;
  }
}

const clampByte = (value: number): number => (value <= 0 ? 0 : value >= 255 ? 255 : (value + 0.5) | 0);
