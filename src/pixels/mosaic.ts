import type { Raster, Size } from '../codecs/types.ts';
import { addToBlockSums, BLOCK_SUM_BYTES } from '../core/kernels/kernels.ts';
import { blockAt, blocksAlong } from './block_edges.ts';
import { CoveredBlocks, type Mosaic, touchedBlocks } from './covered_blocks.ts';
import { pixelWords } from './pixel_words.ts';
import { type RowSpans, runsOf, type Span, subtract } from './row_spans.ts';

export type { Mosaic } from './covered_blocks.ts';

/** Bytes of a mosaic's sums in the core: one row of blocks. */
export const mosaicSumBytes = ({ block }: Pick<Mosaic, 'block'>, { width }: Pick<Size, 'width'>): number =>
  Math.ceil(width / block) * BLOCK_SUM_BYTES;

/**
 * Pixels that no mosaic changes and that enter no mean. Rows are painted long after they were added, so each
 * use has its own position in the rows.
 */
export interface KeptPixels {
  readonly adding: RowSpans;
  readonly painting: RowSpans;
}

/** A block of which at most this share is hidden, the rest being kept, has no mean of its own. */
const LEAST_SHARE = 1 / 4;

/** The block means of one mosaic: rows are added to them, and later painted with them. */
export class MosaicMeans {
  /** At the row being added and at the row being painted. */
  readonly #adding: CoveredBlocks;
  readonly #painting: CoveredBlocks;
  /** Means of each finished grid row that is still to be painted, one 32-bit pixel a block. */
  readonly #means = new Map<number, Uint32Array>();
  readonly #mosaic: Mosaic;
  readonly #image: Raster;
  readonly #sums: number;
  readonly #kept: KeptPixels | undefined;
  /** Blocks side by side, and one above the other. */
  readonly #columns: number;
  readonly #gridRows: number;
  /** For the grid row being added: how many kept pixels each block has, and one of them. */
  readonly #keptInBlock: Uint32Array;
  readonly #keptPixel: Uint32Array;

  /**
   * @param image whose rows are added and painted
   * @param sums address of `mosaicSumBytes` in the image's core
   * @param kept pixels to leave out; absent: none
   */
  constructor(mosaic: Mosaic, image: Raster, sums: number, kept?: KeptPixels) {
    this.#mosaic = mosaic;
    this.#adding = new CoveredBlocks(mosaic, image);
    this.#painting = new CoveredBlocks(mosaic, image);
    this.#image = image;
    this.#sums = sums;
    this.#kept = kept;
    this.#columns = blocksAlong(image.width, mosaic.block);
    this.#gridRows = blocksAlong(image.height, mosaic.block);
    this.#keptInBlock = new Uint32Array(kept ? this.#columns : 0);
    this.#keptPixel = new Uint32Array(kept ? this.#columns : 0);
    image.core.view(sums, mosaicSumBytes(mosaic, image)).fill(0);
  }

  gridRowOf(y: number): number {
    return blockAt(y, this.#mosaic.block, this.#image.height);
  }

  /** No block of this mosaic covers a pixel of row `y`. */
  leavesUnchanged(y: number): boolean {
    return this.#painting.at(this.gridRowOf(y)).length === 0;
  }

  /** The row after the last one that the means of row `y` need. */
  endOf(y: number): number {
    return this.#rowAfter(this.gridRowOf(y));
  }

  #rowAfter(gridRow: number): number {
    return gridRow + 1 === this.#gridRows ? this.#image.height : (gridRow + 1) * this.#mosaic.block;
  }

  #columnAfter(cell: number): number {
    return cell + 1 === this.#columns ? this.#image.width : (cell + 1) * this.#mosaic.block;
  }

  /**
   * Adds one row of original pixels. At the end of its grid row, that row's means are ready.
   * @returns the work in the row: runs of blocks, runs of kept pixels, and ellipses
   */
  add(y: number, row: Uint8Array): number {
    const gridRow = this.gridRowOf(y);
    const spans = this.#adding.at(gridRow);
    if (spans.length === 0) return 0;
    const kept = this.#kept?.adding.at(y) ?? [];
    const columns = this.#columnsOf(spans);
    const parts = subtract(columns, kept);
    for (const part of parts) this.#addPart(row, part);
    if (kept.length > 0) for (const part of subtract(columns, parts)) this.#countKept(row, part);
    if (y + 1 === this.#rowAfter(gridRow)) this.#finish(gridRow, spans);
    return this.#adding.runsAt(gridRow) + (this.#kept?.adding.runsAt(y) ?? 0);
  }

  /** Writes the means over row `y`, whose grid row must be finished. */
  paint(y: number, row: Uint8Array): void {
    const gridRow = this.gridRowOf(y);
    const means = this.#means.get(gridRow);
    if (!means) return;
    const words = pixelWords(row);
    const kept = this.#kept?.painting.at(y) ?? [];
    for (const { start, end } of subtract(this.#columnsOf(this.#painting.at(gridRow)), kept)) {
      let cell = this.#cellAt(start);
      for (let from = start; from < end; cell++) {
        const to = Math.min(this.#columnAfter(cell), end);
        words.fill(means[cell]!, from, to);
        from = to;
      }
    }
  }

  /** Forgets the means of every grid row that ends at or before row `y`. */
  forgetBefore(y: number): void {
    for (const gridRow of this.#means.keys()) {
      if (this.#rowAfter(gridRow) <= y) this.#means.delete(gridRow);
    }
  }

  #columnsOf(blocks: readonly Span[]): Span[] {
    const { block } = this.#mosaic;
    return blocks.map(({ start, end }) => ({ start: start * block, end: this.#columnAfter(end - 1) }));
  }

  #cellAt(x: number): number {
    return blockAt(x, this.#mosaic.block, this.#image.width);
  }

  /** Adds columns of a row that may begin within a block. */
  #addPart(row: Uint8Array, { start, end }: Span): void {
    const { block } = this.#mosaic;
    const { core, opaque } = this.#image;
    const sumsOf = (x: number) => this.#sums + Math.floor(x / block) * BLOCK_SUM_BYTES;
    const aligned = Math.min(end, Math.ceil(start / block) * block);
    for (const [from, to] of [[start, aligned] as const, [aligned, end] as const]) {
      if (from < to) addToBlockSums(core, row.subarray(from * 4, to * 4), block, sumsOf(from), !opaque);
    }
  }

  #countKept(row: Uint8Array, { start, end }: Span): void {
    const words = pixelWords(row);
    let cell = this.#cellAt(start);
    for (let from = start; from < end; cell++) {
      const to = Math.min(this.#columnAfter(cell), end);
      this.#keptInBlock[cell]! += to - from;
      this.#keptPixel[cell] = words[from]!;
      from = to;
    }
  }

  #finish(gridRow: number, spans: readonly Span[]): void {
    const { block } = this.#mosaic;
    const { core, width, opaque } = this.#image;
    const sums = new Float64Array(core.exports.memory.buffer, this.#sums, Math.ceil(width / block) * 4);
    this.#joinLast(sums);
    const means = new Uint32Array(this.#columns);
    const rows = this.#rowAfter(gridRow) - gridRow * block;
    for (const { start, end } of spans) {
      for (let cell = start; cell < end; cell++) {
        const pixels = rows * (this.#columnAfter(cell) - cell * block);
        const hidden = pixels - (this.#keptInBlock[cell] ?? 0);
        const weight = opaque ? hidden : sums[cell * 4 + 3]!;
        const mean = (channel: number) => (weight === 0 ? 0 : Math.round(sums[cell * 4 + channel]! / weight));
        const alpha = opaque || hidden === 0 ? 255 : Math.round(weight / hidden);
        // The mean of a few pixels tells what each is; a pixel that is seen anyway tells nothing.
        means[cell] =
          hidden <= pixels * LEAST_SHARE
            ? this.#keptPixel[cell]!
            : (mean(0) | (mean(1) << 8) | (mean(2) << 16) | (alpha << 24)) >>> 0;
        sums.fill(0, cell * 4, cell * 4 + 4);
      }
    }
    this.#means.set(gridRow, means);
    this.#keptInBlock.fill(0);
  }

  /** Adds the sums of what the picture's end leaves of a block to those of the block it belongs to. */
  #joinLast(sums: Float64Array): void {
    const last = this.#columns * 4;
    if (sums.length === last) return;
    for (let channel = 0; channel < 4; channel++) sums[last - 4 + channel]! += sums[last + channel]!;
    sums.fill(0, last);
  }
}

/** Runs of blocks over all rows of a picture of this height, each counted in every row that it covers. */
export const blockRuns = (mosaic: Mosaic, height: number): number =>
  runsOf(touchedBlocks(mosaic), Math.ceil(height / mosaic.block)) * mosaic.block;
