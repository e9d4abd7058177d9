import { type Core, createCore } from './core.ts';
import { heldBytesFor } from './footprint.ts';

/** Weights are i16 of 2^-14: a Lanczos weight never exceeds 1 when shrinking. */
const ONE = 16_384;
/** Rows are copied in so many bytes at a time: few calls, and still within the processor's cache. */
const INPUT_BYTES = 131_072;
/** Kernels read and write up to so many bytes past a row. */
const SLACK = 64;

/** Which source samples make one output sample, and with what weight, for one axis; src/pixels/filter.ts makes them. */
export interface Taps {
  readonly start: Int32Array;
  readonly count: Int32Array;
  readonly weights: Float32Array;
  /** Weights an output sample, used or not. */
  readonly stride: number;
}

/** What a shrinker's memory depends on. */
export interface ShrinkShape {
  readonly fromWidth: number;
  readonly width: number;
  readonly height: number;
  /** The most taps of an output sample, across and down. */
  readonly tapsAcross: number;
  readonly tapsDown: number;
  /** Output rows that a strip holds. */
  readonly stripRows: number;
}

const padded = (value: number, to: number) => Math.ceil(value / to) * to;
const inputRowsOf = ({ fromWidth }: ShrinkShape) => Math.max(1, Math.floor(INPUT_BYTES / (fromWidth * 4)));
const windowRowBytes = ({ width }: ShrinkShape) => width * 8 + SLACK;

/** In the order of allocation: input, across (starts, weights), down (weights, addresses), window, strip. */
function sizesOf(shape: ShrinkShape): number[] {
  const { fromWidth, width, height, tapsAcross, tapsDown, stripRows } = shape;
  return [
    // Taps of weight 0 may lie past the row.
    (inputRowsOf(shape) * fromWidth + padded(tapsAcross, 4)) * 4 + SLACK,
    width * 4,
    width * padded(tapsAcross, 4) * 2,
    height * padded(tapsDown, 2) * 2,
    padded(tapsDown, 2) * 4,
    windowRowBytes(shape) * tapsDown,
    width * stripRows * 4 + SLACK,
  ];
}

/** Bytes that a shrinker holds; exact. */
export const shrinkerBytes = (shape: ShrinkShape): number => heldBytesFor(sizesOf(shape));

/**
 * Shrinks RGBA row by row in a core of its own: rows are copied in and narrowed into a rolling window; an output row is blended
 * from the window's rows. Alpha is premultiplied on the way in and divided out again.
 */
export class RowShrinker implements Disposable {
  readonly #core: Core;
  readonly #shape: ShrinkShape;
  readonly #opaque: boolean;
  readonly #down: Taps;
  readonly #input: number;
  readonly #starts: number;
  readonly #across: number;
  readonly #downWeights: number;
  readonly #addresses: Uint32Array;
  readonly #window: number;
  readonly #strip: number;

  /** How many rows `load` takes. */
  readonly inputRows: number;

  constructor(shape: ShrinkShape, across: Taps, down: Taps, opaque: boolean) {
    this.#shape = shape;
    this.#core = createCore(shrinkerBytes(shape));
    this.#opaque = opaque;
    this.#down = down;
    this.inputRows = inputRowsOf(shape);
    const places = sizesOf(shape).map((size) => this.#core.alloc(size));
    const [input, starts, acrossWeights, downWeights, addresses, window, strip] = places as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    this.#input = input;
    this.#starts = starts;
    this.#across = acrossWeights;
    this.#downWeights = downWeights;
    this.#window = window;
    this.#strip = strip;
    // Everything is allocated: views stay valid from here on.
    const { buffer } = this.#core.exports.memory;
    new Int32Array(buffer, starts, shape.width).set(across.start);
    fillFixed(new Int16Array(buffer, acrossWeights), across, padded(shape.tapsAcross, 4));
    fillFixed(new Int16Array(buffer, downWeights), down, padded(shape.tapsDown, 2));
    this.#addresses = new Uint32Array(buffer, addresses, padded(shape.tapsDown, 2));
  }

  /** Takes up to `inputRows` rows of RGBA. */
  load(pixels: Uint8Array): void {
    this.#core.view(this.#input, pixels.length).set(pixels);
    if (!this.#opaque) this.#core.exports.premultiplyPixels(this.#input, pixels.length >>> 2);
  }

  /** Narrows row `row` of those loaded, which is row `y` of the source, into the window. */
  narrow(row: number, y: number): void {
    const { fromWidth, width, tapsAcross } = this.#shape;
    this.#core.exports.narrowRow(
      this.#input + row * fromWidth * 4,
      this.#windowRow(y),
      width,
      this.#starts,
      this.#across,
      padded(tapsAcross, 4),
    );
  }

  /** Writes output row `target`, all of whose rows are in the window, to row `row` of the strip. */
  blend(target: number, row: number): void {
    const { width, tapsDown } = this.#shape;
    const first = this.#down.start[target]!;
    const count = this.#down.count[target]!;
    const taps = padded(count, 2);
    for (let tap = 0; tap < taps; tap++) {
      this.#addresses[tap] = this.#windowRow(first + Math.min(tap, count - 1));
    }
    this.#core.exports.blendRows(
      this.#addresses.byteOffset,
      this.#downWeights + target * padded(tapsDown, 2) * 2,
      taps,
      this.#strip + row * width * 4,
      width,
      this.#opaque ? 1 : 0,
    );
  }

  /** The first `rows` rows of the strip. */
  strip(rows: number): Uint8Array {
    return this.#core.view(this.#strip, rows * this.#shape.width * 4);
  }

  [Symbol.dispose](): void {
    this.#core[Symbol.dispose]();
  }

  #windowRow(y: number): number {
    return this.#window + (y % this.#shape.tapsDown) * windowRowBytes(this.#shape);
  }
}

/** Weights in fixed point; each sample's sum is exactly one, so that an even area stays as it is. */
function fillFixed(fixed: Int16Array, { count, weights, stride }: Taps, fixedStride: number): void {
  for (let i = 0; i < count.length; i++) {
    const to = i * fixedStride;
    fixed.fill(0, to, to + fixedStride);
    let rest = ONE;
    let largest = 0;
    for (let tap = 0; tap < count[i]!; tap++) {
      const weight = Math.round(weights[i * stride + tap]! * ONE);
      fixed[to + tap] = weight;
      rest -= weight;
      if (weight > fixed[to + largest]!) largest = tap;
    }
    fixed[to + largest] = fixed[to + largest]! + rest;
  }
}
