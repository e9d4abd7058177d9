import type { CoreExports } from '../../core/exports.ts';
import { inEights, type Layer, type Separable } from './layout.ts';

const FLOAT_BYTES = 4;

/** Rows of a feature map: `channels` floats a pixel, beside each other. */
export interface FeatureRows {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  /**
   * Address of a row, which begins and ends with a pixel of zeros. Rows are asked for in order; the two
   * before the last one asked for are still there.
   */
  row(y: number): number;
}

/** Gives addresses of memory; in a first round only counts. */
export interface Places {
  take(bytes: number): number;
}

/** What all layers of one run share. */
export interface Run {
  readonly exports: CoreExports;
  readonly places: Places;
  /** Address of the weights. */
  readonly weights: number;
  /** Memory that all layers may use in turn; absent: each takes its own. */
  readonly scratch?: Scratch;
  /** Counts multiplications done. */
  spend(multiplications: number): void;
}

/** Addresses of the longest row of zeros that a layer reads, and of what it has between two kernels. */
interface Scratch {
  readonly zeros: number;
  readonly between: number;
}

/** Bytes from a row's beginning to its first pixel, zeros. */
export const pixelBytes = (rows: FeatureRows): number => rows.channels * FLOAT_BYTES;
/** Bytes of a row with a pixel of zeros at both ends. */
export const rowBytes = (width: number, channels: number): number => (width + 2) * channels * FLOAT_BYTES;

/** A row above or below the map. */
export const zeroRow = ({ places, scratch }: Run, { width, channels }: FeatureRows): number =>
  scratch?.zeros ?? places.take(rowBytes(width, channels));

/** Rows that are held: those that a kernel reads at a time. */
const RING_ROWS = 3;

/** Rows made one after the other, as they are asked for; the last ones are held. */
export abstract class MadeRows implements FeatureRows {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly #first: number;
  readonly #held: number;
  #made = 0;

  constructor(run: Run, width: number, height: number, channels: number, held = RING_ROWS) {
    this.width = width;
    this.height = height;
    this.channels = channels;
    this.#held = held;
    this.#first = run.places.take(held * rowBytes(width, channels));
  }

  row(y: number): number {
    for (; this.#made <= y; this.#made++) this.make(this.#made, this.#at(this.#made));
    return this.#at(y);
  }

  /** @param to address of the row; zeros stand at both ends already */
  protected abstract make(y: number, to: number): void;

  #at(y: number): number {
    return this.#first + (y % this.#held) * rowBytes(this.width, this.channels);
  }
}

/** The rows at y - 1, y and y + 1 of a map, zeros beyond it. */
export function around(rows: FeatureRows, y: number, zeros: number): [number, number, number] {
  return [y > 0 ? rows.row(y - 1) : zeros, rows.row(y), y + 1 < rows.height ? rows.row(y + 1) : zeros];
}

/** Rows of the picture, normalised, three colours a pixel. */
export class PictureRows extends MadeRows {
  readonly #run: Run;
  readonly #image: number;

  /** @param image address of planar RGB, floats of 0 to 255 */
  constructor(run: Run, image: number, width: number, height: number) {
    super(run, width, height, 3);
    this.#run = run;
    this.#image = image;
  }

  protected override make(y: number, to: number): void {
    const row = this.#image + y * this.width * FLOAT_BYTES;
    const plane = this.width * this.height * FLOAT_BYTES;
    this.#run.exports.faceNormaliseRow(row, plane, to + pixelBytes(this), this.width);
  }
}

/** Rows of the network's first layer, of half the picture's sides. */
export class StemRows extends MadeRows {
  readonly #run: Run;
  readonly #input: FeatureRows;
  readonly #weights: number;
  readonly #zeros: number;

  constructor(run: Run, input: FeatureRows, { at, outputs }: Layer) {
    super(run, input.width / 2, input.height / 2, outputs);
    this.#run = run;
    this.#input = input;
    this.#weights = run.weights + at * FLOAT_BYTES;
    this.#zeros = zeroRow(run, input);
  }

  protected override make(y: number, to: number): void {
    const [above, row, below] = around(this.#input, 2 * y, this.#zeros);
    const { exports, spend } = this.#run;
    exports.faceStemRow(above, row, below, to + pixelBytes(this), this.#weights, this.width);
    spend(this.width * this.channels * 27);
  }
}

/** Rows of a separable block. */
export class SeparableRows extends MadeRows {
  readonly #run: Run;
  readonly #input: FeatureRows;
  readonly #block: Separable;
  readonly #zeros: number;
  readonly #between: number;

  readonly #onRow: ((y: number, row: number) => void) | undefined;

  /** @param onRow is given every row that is made, before later ones take its place */
  constructor(run: Run, input: FeatureRows, block: Separable, options: SeparableOptions = {}) {
    const { stride, pointwise } = block;
    const height = input.height / stride;
    super(run, input.width / stride, height, pointwise.outputs, options.keepAll ? height : RING_ROWS);
    this.#run = run;
    this.#onRow = options.onRow;
    this.#input = input;
    this.#block = block;
    this.#zeros = zeroRow(run, input);
    this.#between = run.scratch?.between ?? run.places.take(this.width * pixelBytes(input));
  }

  protected override make(y: number, to: number): void {
    const { exports, weights } = this.#run;
    const { depthwise, pointwise, stride, residual } = this.#block;
    const { channels } = this.#input;
    const [above, row, below] = around(this.#input, y * stride, this.#zeros);
    const taps = weights + depthwise.at * FLOAT_BYTES;
    exports.faceDepthwiseRow(above, row, below, this.#between, taps, this.width, channels, stride);
    const added = residual ? row + pixelBytes(this.#input) : 0;
    pointwiseRow(this.#run, pointwise, this.#between, to + pixelBytes(this), this.width, 0, added);
    this.#run.spend(this.width * channels * 9);
    this.#onRow?.(y, to);
  }
}

interface SeparableOptions {
  /** All rows are held, to be read again. */
  readonly keepAll?: boolean;
  readonly onRow?: (y: number, row: number) => void;
}

/**
 * One row of a pointwise convolution.
 * @param to outputs in eights
 * @param least of an output: 0 is ReLU
 * @param added address of what is added to the outputs; 0 where nothing is
 */
export function pointwiseRow(
  { exports, weights, spend }: Run,
  { at, inputs, outputs }: Layer,
  from: number,
  to: number,
  width: number,
  least: number,
  added = 0,
): void {
  const made = inEights(outputs);
  exports.facePointwiseRow(from, to, added, weights + at * FLOAT_BYTES, width, inputs, made, least);
  spend(width * inputs * made);
}

/** A whole map that a pointwise convolution makes, row by row; coarser ones are added to it. */
export class LateralMap implements FeatureRows {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly #run: Run;
  readonly #layer: Layer;
  readonly #first: number;

  constructor(run: Run, width: number, height: number, layer: Layer) {
    this.width = width;
    this.height = height;
    this.channels = layer.outputs;
    this.#run = run;
    this.#layer = layer;
    this.#first = run.places.take(height * rowBytes(width, layer.outputs));
  }

  row(y: number): number {
    return this.#first + y * rowBytes(this.width, this.channels);
  }

  /** @param from address of the row that row `y` is made of, its pixel of zeros included */
  make(y: number, from: number): void {
    const { inputs } = this.#layer;
    const to = this.row(y) + pixelBytes(this);
    pointwiseRow(this.#run, this.#layer, from + inputs * FLOAT_BYTES, to, this.width, -Infinity);
  }

  /** Adds a map of half its sides, each pixel to four. */
  add(coarse: FeatureRows): void {
    for (let y = 0; y < this.height; y++) {
      const [from, to] = [coarse.row(y >>> 1) + pixelBytes(coarse), this.row(y) + pixelBytes(this)];
      this.#run.exports.faceAddCoarseRow(from, to, this.width, this.channels);
    }
  }
}
