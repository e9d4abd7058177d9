import { WEIGHT_ONE } from '../../../wasm/assembly/kernels/constants.ts';
import { ROW_SLACK } from '../constants.ts';
import type { Core } from '../instance.ts';
import { Scratch } from '../scratch.ts';
import { scratchBytes } from '../sizes.ts';

/** Which source rows make one output row, and with what weight; src/pixels/lanczos.ts makes them. */
export interface RowTaps {
  readonly start: number;
  readonly count: number;
  /** At least `count` weights; any after these are unused. */
  readonly weights: Float32Array;
}

/** The same for all samples of a row. */
export interface Taps {
  readonly start: Int32Array;
  readonly count: Int32Array;
  readonly weights: Float32Array;
  /** The number of weights for each output sample, used or not. */
  readonly stride: number;
}

/** What is known about all pixels. */
interface AlphaTraits {
  readonly opaque: boolean;
  /** Colours are premultiplied by alpha already; for opaque pixels this is always so. */
  readonly isPremultiplied: boolean;
}

/** What a resizer's memory depends on. */
export interface ResizeShape {
  readonly fromWidth: number;
  readonly width: number;
  /** The most taps of an output sample, across and down. */
  readonly tapsAcross: number;
  readonly tapsDown: number;
  /** Output rows that a strip holds. */
  readonly stripRows: number;
}

export const padded = (value: number, to: number) => Math.ceil(value / to) * to;
const windowRowBytes = ({ width }: ResizeShape) => width * 8 + ROW_SLACK;

/** The taps of a sample across: whole pairs of pixels, four at a time, beginning at an even one. */
export const paddedAcross = ({ tapsAcross }: Pick<ResizeShape, 'tapsAcross'>) => padded(tapsAcross + 1, 4);

/** The first source index of each sample's taps, made even: pixels are read in pairs. */
export function evenStarts({ start }: Taps): Int32Array {
  const even = new Int32Array(start.length);
  for (let x = 0; x < start.length; x++) even[x] = start[x]! & ~1;
  return even;
}

/** In the order of allocation: across (starts, weights, pairs), down (weights, addresses), window, strip. */
function sizesOf(shape: ResizeShape): number[] {
  const { fromWidth, width, tapsDown, stripRows } = shape;
  return [
    width * 4,
    width * paddedAcross(shape) * 2,
    (padded(fromWidth, 4) + paddedAcross(shape)) * 8,
    padded(tapsDown, 2) * 2,
    padded(tapsDown, 2) * 4,
    windowRowBytes(shape) * tapsDown,
    width * stripRows * 4 + ROW_SLACK,
  ];
}

/** Bytes that a resizer reserves in the core of its rows; exact. */
export const resizerBytes = (shape: ResizeShape): number => scratchBytes(sizesOf(shape));

/**
 * Shrinks RGBA row by row: narrows rows into a rolling window, and blends output rows from the rows in the
 * window. Colours that are not premultiplied by alpha yet are premultiplied in the source's rows, and divided
 * by it again in the output.
 */
export class RowResizer implements Disposable {
  readonly #scratch: Scratch;
  readonly #core: Core;
  readonly #shape: ResizeShape;
  readonly #alpha: AlphaTraits;
  readonly #starts: number;
  readonly #across: number;
  readonly #pairs: number;
  readonly #downWeights: number;
  readonly #addresses: number;
  readonly #window: number;
  readonly #strip: number;

  /**
   * @param core that the rows lie in
   * @throws Fault 'limit' when the memory cannot grow that far
   */
  constructor(core: Core, shape: ResizeShape, across: Taps, alpha: AlphaTraits) {
    this.#shape = shape;
    this.#scratch = new Scratch(core, sizesOf(shape));
    this.#core = core;
    this.#alpha = alpha;
    const reserved = this.#scratch.places as [number, number, number, number, number, number, number];
    const [starts, acrossWeights, pairs, downWeights, addresses, window, strip] = reserved;
    this.#starts = starts;
    this.#across = acrossWeights;
    this.#pairs = pairs;
    this.#downWeights = downWeights;
    this.#window = window;
    this.#strip = strip;
    this.#addresses = addresses;
    const { buffer } = this.#core.exports.memory;
    const first = evenStarts(across);
    const places = new Int32Array(buffer, starts, shape.width);
    for (let x = 0; x < shape.width; x++) places[x] = first[x]! * 8;
    fillFixed(new Int16Array(buffer, acrossWeights), across, paddedAcross(shape), first);
  }

  /**
   * Narrows one row into the window.
   * @param at address of the row, RGBA; it is changed if it is not opaque
   * @param y its number in the source
   */
  narrow(at: number, y: number): void {
    const { fromWidth, width } = this.#shape;
    const { exports } = this.#core;
    if (!this.#alpha.isPremultiplied) exports.premultiplyPixels(at, fromWidth);
    exports.narrowRow(
      at,
      fromWidth,
      this.#pairs,
      this.#windowRow(y),
      width,
      this.#starts,
      this.#across,
      paddedAcross(this.#shape),
    );
  }

  /** Writes an output row to row `row` of the strip; all source rows that it needs must be in the window. */
  blend({ start, count, weights }: RowTaps, row: number): void {
    const { width } = this.#shape;
    const taps = padded(count, 2);
    const fixed = new Int16Array(this.#core.exports.memory.buffer, this.#downWeights, taps);
    fixed.fill(0);
    fillSample(fixed, 0, weights, 0, count);
    const addresses = new Uint32Array(this.#core.exports.memory.buffer, this.#addresses, taps);
    for (let tap = 0; tap < taps; tap++) {
      addresses[tap] = this.#windowRow(start + Math.min(tap, count - 1));
    }
    this.#core.exports.blendRows(
      this.#addresses,
      this.#downWeights,
      taps,
      this.#strip + row * width * 4,
      width,
      this.#alpha.opaque ? 1 : 0,
    );
  }

  /** The first `rows` rows of the strip. */
  strip(rows: number): Uint8Array {
    return this.#core.view(this.#strip, rows * this.#shape.width * 4);
  }

  [Symbol.dispose](): void {
    this.#scratch[Symbol.dispose]();
  }

  #windowRow(y: number): number {
    return this.#window + (y % this.#shape.tapsDown) * windowRowBytes(this.#shape);
  }
}

/**
 * Fills in the weights of all samples in fixed point.
 * @param first for each sample, the source sample of its first weight, at or before its start
 */
export function fillFixed(
  fixed: Int16Array,
  { start, count, weights, stride }: Taps,
  fixedStride: number,
  first: Int32Array,
): void {
  for (let i = 0; i < count.length; i++) {
    const to = i * fixedStride + start[i]! - first[i]!;
    fixed.fill(0, i * fixedStride, (i + 1) * fixedStride);
    fillSample(fixed, to, weights, i * stride, count[i]!);
  }
}

/**
 * Fills in one sample's weights, which add up to exactly 1, so that an even area keeps its colour.
 * @param to the index of the first in `fixed`
 * @param from and in `weights`
 */
export function fillSample(
  fixed: Int16Array,
  to: number,
  weights: Float32Array,
  from: number,
  count: number,
): void {
  let rest = WEIGHT_ONE;
  let largest = 0;
  for (let tap = 0; tap < count; tap++) {
    const weight = Math.round(weights[from + tap]! * WEIGHT_ONE);
    fixed[to + tap] = weight;
    rest -= weight;
    if (weight > fixed[to + largest]!) largest = tap;
  }
  fixed[to + largest] = fixed[to + largest]! + rest;
}
