import { ROW_SLACK } from '../constants.ts';
import type { Core } from '../instance.ts';
import { Scratch } from '../scratch.ts';
import { scratchBytes } from '../sizes.ts';
import {
  evenStarts,
  fillFixed,
  fillSample,
  padded,
  paddedAcross,
  type RowTaps,
  type Taps,
} from './resizer.ts';

/** Output rows that are made together. */
export const GROUP_ROWS = 8;

/** The shape of one component's samples, and how many of its rows are held. */
export interface ComponentShape {
  readonly fromWidth: number;
  /** Rows of the source that are held at a time. */
  readonly heldRows: number;
  /** The index of its grid in `grids`. */
  readonly grid: number;
}

/** What the memory of a resizer depends on. */
export interface SamplesShape {
  /** Samples of an output row, the same for each component. */
  readonly width: number;
  /** The most taps of an output sample, across and down, for components with the same grid. */
  readonly grids: readonly { readonly tapsAcross: number; readonly tapsDown: number }[];
  readonly components: readonly ComponentShape[];
}

/** A group's rows of a component. */
export interface SampleRows {
  readonly samples: Uint8Array;
  /** Bytes from row to row. */
  readonly stride: number;
}

/** Bytes of a pair of rows. */
const pairBytes = (fromWidth: number) => padded(fromWidth, 16) * 2;
/** Pairs of rows that are held: of the first and the last, perhaps only one row. */
const heldPairs = ({ heldRows }: ComponentShape) => (padded(heldRows, 2) >> 1) + 1;
/** Bytes of a group of rows at full width, with 16 bits a sample. */
const groupBytes = (fromWidth: number, taps: number) => (padded(fromWidth, 16) + taps) * GROUP_ROWS * 2;
const strideOf = (width: number) => padded(width, 16) + ROW_SLACK;

/** Pairs of rows that one output row is made from. */
const pairsOf = ({ tapsDown }: { readonly tapsDown: number }) => (tapsDown >> 1) + 1;

const most = (values: readonly number[]) => Math.max(...values);

/** In the order of allocation: starts and weights of grids, pairs and rows of components, the rest. */
function sizesOf({ width, grids, components }: SamplesShape): number[] {
  const pairsDown = most(grids.map(pairsOf));
  return [
    ...grids.flatMap((grid) => [width * 4, width * paddedAcross(grid) * 2]),
    ...components.flatMap((component) => [
      heldPairs(component) * pairBytes(component.fromWidth),
      GROUP_ROWS * strideOf(width),
    ]),
    most(components.map(({ fromWidth, grid }) => groupBytes(fromWidth, paddedAcross(grids[grid]!)))),
    padded(width, 8) * GROUP_ROWS,
    GROUP_ROWS * pairsDown * 4,
    pairsDown * 4,
  ];
}

/** Bytes that a resizer reserves in the core of its samples; exact. */
export const sampleResizerBytes = (shape: SamplesShape): number => scratchBytes(sizesOf(shape));

/** The addresses of a grid's or a component's data. */
interface Grid {
  readonly starts: number;
  readonly weights: number;
  readonly taps: number;
}
interface Component {
  readonly pairs: number;
  readonly out: number;
  /** The row after the last one that was taken. */
  end: number;
}

/**
 * Resamples the components of a picture, each separately and all to one size. Takes rows as they come, and
 * makes `GROUP_ROWS` output rows at a time from those that are held.
 */
export class SampleResizer implements Disposable {
  readonly #core: Core;
  readonly #shape: SamplesShape;
  readonly #scratch: Scratch;
  readonly #grids: readonly Grid[];
  readonly #components: readonly Component[];
  readonly #group: number;
  readonly #columns: number;
  readonly #downWeights: number;
  readonly #addresses: number;

  /**
   * @param core that the samples lie in
   * @param across of each grid
   * @throws Fault 'limit' when the memory cannot grow that far
   */
  constructor(core: Core, shape: SamplesShape, across: readonly Taps[]) {
    this.#core = core;
    this.#shape = shape;
    this.#scratch = new Scratch(core, sizesOf(shape));
    const unused = [...this.#scratch.places];
    const next = () => unused.shift()!;
    const { buffer } = core.exports.memory;
    this.#grids = shape.grids.map((grid, index) => {
      const [starts, weights, taps] = [next(), next(), paddedAcross(grid)];
      const first = evenStarts(across[index]!);
      const places = new Int32Array(buffer, starts, shape.width);
      for (let x = 0; x < shape.width; x++) places[x] = first[x]! * GROUP_ROWS * 2;
      fillFixed(new Int16Array(buffer, weights), across[index]!, taps, first);
      return { starts, weights, taps };
    });
    this.#components = shape.components.map(() => ({ pairs: next(), out: next(), end: 0 }));
    this.#group = next();
    this.#columns = next();
    this.#downWeights = next();
    this.#addresses = next();
  }

  /** How many rows of a component were taken. */
  taken(index: number): number {
    return this.#components[index]!.end;
  }

  /** Takes a component's next row. @param at its address; up to 15 bytes behind it are read */
  take(index: number, at: number): void {
    const component = this.#components[index]!;
    const { fromWidth } = this.#shape.components[index]!;
    this.#core.exports.pairRow(at, fromWidth, this.#pair(index, component.end >> 1), component.end & 1);
    component.end++;
  }

  /**
   * Makes the rows of a group, for every component.
   * @param down for each grid, the taps of its rows, `GROUP_ROWS` or fewer; all rows that they need must be
   * held
   * @returns the rows of each component; writing may go on up to the next multiple of 16 samples
   * @throws Error for a row that is not held
   */
  make(down: readonly (readonly RowTaps[])[]): readonly SampleRows[] {
    const { grids, components, width } = this.#shape;
    for (const [grid, rows] of down.entries()) {
      const pairs = pairsOf(grids[grid]!);
      const { buffer } = this.#core.exports.memory;
      const fixed = new Int16Array(buffer, this.#downWeights, GROUP_ROWS * pairs * 2).fill(0);
      for (let row = 0; row < rows.length; row++) {
        const { start, count, weights } = rows[row]!;
        fillSample(fixed, row * pairs * 2 + (start & 1), weights, 0, count);
      }
      for (let index = 0; index < components.length; index++) {
        if (components[index]!.grid === grid) this.#makeOne(index, rows, pairs);
      }
    }
    const stride = strideOf(width);
    return this.#components.map(({ out }) => ({
      samples: this.#core.view(out, GROUP_ROWS * stride),
      stride,
    }));
  }

  [Symbol.dispose](): void {
    this.#scratch[Symbol.dispose]();
  }

  #makeOne(index: number, rows: readonly RowTaps[], pairs: number): void {
    const { exports } = this.#core;
    const { width, components } = this.#shape;
    const { fromWidth, grid } = components[index]!;
    const { starts, weights, taps } = this.#grids[grid]!;
    const addresses = new Uint32Array(exports.memory.buffer, this.#addresses, pairs);
    for (let row = 0; row < rows.length; row++) {
      const { start, count } = rows[row]!;
      this.#requireHeld(index, start, start + count);
      const first = start >> 1;
      const blended = ((start + count + 1) >> 1) - first;
      for (let pair = 0; pair < blended; pair++) addresses[pair] = this.#pair(index, first + pair);
      const rowWeights = this.#downWeights + row * pairs * 4;
      exports.blendPairs(this.#addresses, rowWeights, blended, this.#group + row * 4, fromWidth);
    }
    const { out } = this.#components[index]!;
    exports.narrowEight(this.#group, starts, weights, taps, this.#columns, out, strideOf(width), width);
  }

  /**
   * Without this check, a row that came too late or was overwritten would still give a picture, a wrong one.
   */
  #requireHeld(index: number, from: number, to: number): void {
    const { end } = this.#components[index]!;
    const oldest = (((end + 1) >> 1) - heldPairs(this.#shape.components[index]!)) << 1;
    if (from < oldest || to > end) {
      throw new Error(`Rows ${from} to ${to} of component ${index} are not among ${oldest} to ${end}`);
    }
  }

  #pair(index: number, pair: number): number {
    const component = this.#shape.components[index]!;
    const place = pair % heldPairs(component);
    return this.#components[index]!.pairs + place * pairBytes(component.fromWidth);
  }
}
