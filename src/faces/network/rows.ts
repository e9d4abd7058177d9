import type { CoreExports } from '../../core/exports.ts';
import type { Core } from '../../core/instance.ts';
import type { BumpAllocator } from '../bump_allocator.ts';
import { inEights, type Layer, type Normalisation, pictureSource } from './layout.ts';

/** Bytes of a value, a 16-bit integer. */
const VALUE_BYTES = 2;
/** Bytes of a colour of the picture, a 32-bit float. */
const FLOAT_BYTES = 4;

/** Rows of a feature map: interleaved, `channels` integers per pixel. */
export interface FeatureRows {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  /** The value of the integer 1. */
  readonly unit: number;
  /**
   * Address of a row, which begins and ends with a pixel of zeros. Rows are asked for in order; after each,
   * the two rows before it are still held.
   */
  row(y: number): number;
}

/** Columns [from, to) of a row. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** What all layers of one run share. */
export interface Run {
  readonly exports: CoreExports;
  /** Only counts bytes when the workspace is measured. */
  readonly memory: Pick<BumpAllocator, 'take'>;
  /** Address of the weights. */
  readonly weights: number;
  /** Address of a row of zeros, as long as the longest row. */
  readonly zeros: number;
  /** Counts multiplications. */
  spend(multiplications: number): void;
  /** Which columns of a row of a map of this size are computed; the others are zeros. Absent: all columns. */
  readonly spans?: (y: number, width: number, height: number) => readonly Span[];
}

/** Bytes of a pixel, and so from a row's beginning, a pixel of zeros, to its first pixel. */
const pixelBytes = (rows: FeatureRows): number => rows.channels * VALUE_BYTES;
/** Bytes of a row with a pixel of zeros at both ends. */
export const rowBytes = (width: number, channels: number): number => (width + 2) * channels * VALUE_BYTES;

/** The pixels of a row, in units. */
export function integersOf(core: Core, rows: FeatureRows, y: number): Int16Array {
  const { width, channels } = rows;
  const { buffer, byteOffset } = core.view(rows.row(y) + pixelBytes(rows), width * pixelBytes(rows));
  return new Int16Array(buffer, byteOffset, width * channels);
}

/** The pixels of a row, as numbers. */
export function valuesOf(core: Core, rows: FeatureRows, y: number): Float32Array {
  const integers = integersOf(core, rows, y);
  const values = new Float32Array(integers.length);
  for (let i = 0; i < values.length; i++) values[i] = integers[i]! * rows.unit;
  return values;
}

/** Rows that are held: as many as a kernel reads at a time. */
const RING_ROWS = 3;

/** Rows that are computed in order, when they are asked for. The last ones are held. */
export abstract class MadeRows implements FeatureRows {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly unit: number;
  readonly #shared: Run;
  readonly #first: number;
  readonly #held: number;
  #made = 0;
  /** Reads every row as soon as it is computed, before a later one takes its place. */
  follower?: FeatureRows;

  constructor(
    run: Run,
    [width, height]: readonly [number, number],
    channels: number,
    unit: number,
    held = RING_ROWS,
  ) {
    this.width = width;
    this.height = height;
    this.channels = channels;
    this.unit = unit;
    this.#held = held;
    this.#shared = run;
    this.#first = run.memory.take(held * rowBytes(width, channels));
  }

  /** Number of rows computed so far. */
  get made(): number {
    return this.#made;
  }

  row(y: number): number {
    while (this.#made <= y) {
      const next = this.#made++;
      this.#makeRow(next, this.#at(next));
      this.follower?.row(next);
    }
    if (y < this.#made - this.#held) throw new Error(`Row ${y} is held no more: ${this.#made} are made`);
    return this.#at(y);
  }

  #makeRow(y: number, to: number): void {
    const { spans, exports } = this.#shared;
    if (!spans) {
      this.make(y, to, 0, this.width);
      return;
    }
    const parts = spans(y, this.width, this.height);
    const made = parts.reduce((sum, part) => sum + part.to - part.from, 0);
    // Clears what an earlier row has left there.
    if (made < this.width)
      new Uint8Array(exports.memory.buffer, to, rowBytes(this.width, this.channels)).fill(0);
    for (const part of parts) this.make(y, to, part.from, part.to - part.from);
  }

  /**
   * Computes `count` pixels of a row.
   * @param to address of the row; the zeros at both ends are there already
   * @param from the first pixel
   */
  protected abstract make(y: number, to: number, from: number, count: number): void;

  #at(y: number): number {
    return this.#first + (y % this.#held) * rowBytes(this.width, this.channels);
  }
}

/** The rows at y - 1, y and y + 1 of a map, zeros beyond it. */
export function around(rows: FeatureRows, y: number, zeros: number): [number, number, number] {
  return [y > 0 ? rows.row(y - 1) : zeros, rows.row(y), y + 1 < rows.height ? rows.row(y + 1) : zeros];
}

/** Rows of the picture less the mean, three colours per pixel. */
export class PictureRows extends MadeRows {
  readonly #run: Run;
  readonly #image: number;
  readonly #mean: number;

  /** @param image address of planar RGB, floats of 0 to 255 */
  constructor(run: Run, image: number, width: number, height: number, normalisation: Normalisation) {
    super(run, [width, height], 3, pictureSource(normalisation).unit);
    this.#run = run;
    this.#image = image;
    this.#mean = normalisation.mean;
  }

  protected override make(y: number, to: number): void {
    const row = this.#image + y * this.width * FLOAT_BYTES;
    const plane = this.width * this.height * FLOAT_BYTES;
    this.#run.exports.faceNormaliseRow(row, plane, to + pixelBytes(this), this.width, this.#mean);
  }
}

/** As `PictureRows`, but the picture's rows come one by one. */
export class GivenRows extends MadeRows {
  readonly #run: Run;
  readonly #given: number;
  readonly #mean: number;

  /** @param given address of the next row: interleaved RGB, a byte per colour */
  constructor(
    { spans: _, ...run }: Run,
    given: number,
    [width, height]: [number, number],
    { mean, scale }: Normalisation,
  ) {
    super(run, [width, height], 3, pictureSource({ mean, scale }).unit);
    this.#run = run;
    this.#given = given;
    this.#mean = mean;
  }

  protected override make(_y: number, to: number): void {
    this.#run.exports.faceNormaliseBytes(this.#given, to + pixelBytes(this), 3 * this.width, this.#mean);
  }
}

/** Rows of a network's first layer, which halves the picture's sides. */
export class StemRows extends MadeRows {
  readonly #run: Run;
  readonly #input: FeatureRows;
  readonly #weights: number;

  constructor(run: Run, input: FeatureRows, { at, outputs, unit }: Layer) {
    super(run, [input.width / 2, input.height / 2], outputs, unit);
    this.#run = run;
    this.#input = input;
    this.#weights = run.weights + at;
  }

  protected override make(y: number, to: number, from: number, count: number): void {
    const { exports, spend, zeros } = this.#run;
    const [above, row, below] = around(this.#input, 2 * y, zeros);
    const skipped = 2 * from * pixelBytes(this.#input);
    const at = to + (1 + from) * pixelBytes(this);
    exports.faceStemRow(above + skipped, row + skipped, below + skipped, at, this.#weights, count);
    spend(count * this.channels * 27);
  }
}

/** How a layer's rows are computed and held. */
interface RowOptions {
  /** All rows are held, to be read again. */
  readonly keepAll?: boolean;
  /** Number of rows held. */
  readonly held?: number;
  /** Every row is read once, before the next one is asked for. */
  readonly isReadOnce?: boolean;
  /** No ReLU. */
  readonly isLinear?: boolean;
}

const heldRows = ({ keepAll, held = RING_ROWS, isReadOnce }: RowOptions, height: number) =>
  keepAll ? height : isReadOnce ? 1 : Math.min(held, height);
const least = ({ isLinear }: RowOptions) => (isLinear ? -(2 ** 15) : 0);

/** Rows of a depthwise 3 × 3 convolution. */
export class DepthwiseRows extends MadeRows {
  readonly #run: Run;
  readonly #input: FeatureRows;
  readonly #weights: number;
  readonly #stride: number;
  readonly #least: number;

  constructor(run: Run, input: FeatureRows, { at, unit }: Layer, stride: 1 | 2, options: RowOptions = {}) {
    const height = input.height / stride;
    super(run, [input.width / stride, height], input.channels, unit, heldRows(options, height));
    this.#run = run;
    this.#input = input;
    this.#weights = run.weights + at;
    this.#stride = stride;
    this.#least = least(options);
  }

  protected override make(y: number, to: number, from: number, count: number): void {
    const { exports, spend, zeros } = this.#run;
    const [above, row, below] = around(this.#input, y * this.#stride, zeros);
    const skipped = from * this.#stride * pixelBytes(this.#input);
    exports.faceDepthwiseRow(
      above + skipped,
      row + skipped,
      below + skipped,
      to + (1 + from) * pixelBytes(this),
      this.#weights,
      count,
      this.channels,
      this.#stride,
      this.#least,
    );
    spend(count * this.channels * 9);
  }
}

/** Rows of a pointwise convolution; channels are padded to a multiple of 8. */
export class PointwiseRows extends MadeRows {
  readonly #run: Run;
  readonly #input: FeatureRows;
  readonly #weights: number;
  readonly #added: FeatureRows | undefined;
  readonly #least: number;

  /** @param added rows that are added before ReLU; each must still be held when its sum is computed */
  constructor(run: Run, input: FeatureRows, layer: Layer, options: RowOptions = {}, added?: FeatureRows) {
    const { width, height } = input;
    super(run, [width, height], inEights(layer.outputs), layer.unit, heldRows(options, height));
    if (added) expectSameUnit(this, added);
    this.#run = run;
    this.#input = input;
    this.#weights = run.weights + layer.at;
    this.#added = added;
    this.#least = least(options);
  }

  protected override make(y: number, to: number, from: number, count: number): void {
    const { exports, spend } = this.#run;
    const placed = (row: number, rows: FeatureRows) => row + (1 + from) * pixelBytes(rows);
    const [input, inputs] = [placed(this.#input.row(y), this.#input), this.#input.channels];
    const added = this.#added ? placed(this.#added.row(y), this.#added) : 0;
    const at = placed(to, this);
    exports.facePointwiseRow(input, at, added, this.#weights, count, inputs, this.channels, this.#least);
    spend(count * inputs * this.channels);
  }
}

/** Rows of a 2 × 2 max pooling. */
export class PooledRows extends MadeRows {
  readonly #run: Run;
  readonly #input: FeatureRows;

  constructor(run: Run, input: FeatureRows) {
    super(run, [input.width / 2, input.height / 2], input.channels, input.unit);
    this.#run = run;
    this.#input = input;
  }

  protected override make(y: number, to: number): void {
    const [upper, lower] = [this.#input.row(2 * y), this.#input.row(2 * y + 1)];
    const pixel = pixelBytes(this);
    this.#run.exports.faceMaxPoolRow(upper + pixel, lower + pixel, to + pixel, this.width, this.channels);
  }
}

/** Adds a map of half the size to one of which all rows are held, each pixel to four (nearest neighbour). */
export function addCoarse(run: Run, map: FeatureRows, coarse: FeatureRows): void {
  const summed = new SummedRows(run, map, coarse);
  for (let y = 0; y < map.height; y++) summed.row(y);
}

/** Rows of a map after those of one of half the size are added in place, each pixel to four. */
export class SummedRows implements FeatureRows {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly unit: number;
  readonly #run: Run;
  readonly #map: FeatureRows;
  readonly #coarse: FeatureRows;
  #next = 0;

  constructor(run: Run, map: FeatureRows, coarse: FeatureRows) {
    expectSameUnit(map, coarse);
    this.width = map.width;
    this.height = map.height;
    this.channels = map.channels;
    this.unit = map.unit;
    this.#run = run;
    this.#map = map;
    this.#coarse = coarse;
  }

  row(y: number): number {
    // The caller may skip rows that nothing is computed from.
    if (y >= this.#next) {
      const from = this.#coarse.row(y >>> 1) + pixelBytes(this.#coarse);
      const to = this.#map.row(y) + pixelBytes(this.#map);
      this.#run.exports.faceAddCoarseRow(from, to, this.width, this.channels);
      this.#next = y + 1;
    }
    return this.#map.row(y);
  }
}

/** Integers can only be added if 1 has the same value in both. */
function expectSameUnit(one: FeatureRows, other: FeatureRows): void {
  if (one.unit !== other.unit) throw new Error(`Rows in units of ${one.unit} and ${other.unit} are added`);
}
