import type { Raster, Size } from '../codecs/types.ts';
import { addToBlockSums, BLOCK_SUM_BYTES } from '../core/kernels/kernels.ts';
import { type Area, scaled } from './ellipse.ts';
import { pixelWords } from './pixel_words.ts';
import { RowSpans, runsOf, type Span, subtract } from './row_spans.ts';

/**
 * One grid of square blocks anchored at the image origin, and the areas it hides: every block that an area
 * touches is replaced whole by its mean.
 */
export interface Mosaic {
  /** Edge of a block in pixels, 2 or more; blocks at the right and bottom border are cut. */
  readonly block: number;
  readonly areas: readonly Area[];
}

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

/** The block means of one mosaic: rows are added to them, and later painted with them. */
export class MosaicMeans {
  /**
   * The covered blocks of grid rows, at the row being added and at the row being painted. No more is kept,
   * even for a tall picture.
   */
  readonly #adding: RowSpans;
  readonly #painting: RowSpans;
  /** Means of each finished grid row that is still to be painted, one 32-bit pixel a block. */
  readonly #means = new Map<number, Uint32Array>();
  readonly #mosaic: Mosaic;
  readonly #image: Raster;
  readonly #sums: number;
  readonly #kept: KeptPixels | undefined;
  /** For the grid row being added: how many kept pixels each block has. */
  readonly #keptInBlock: Uint32Array;

  /**
   * @param image whose rows are added and painted
   * @param sums address of `mosaicSumBytes` in the image's core
   * @param kept pixels to leave out; absent: none
   */
  constructor(mosaic: Mosaic, image: Raster, sums: number, kept?: KeptPixels) {
    this.#mosaic = mosaic;
    const blocks = touchedBlocks(mosaic);
    this.#adding = new RowSpans(blocks);
    this.#painting = new RowSpans(blocks);
    this.#image = image;
    this.#sums = sums;
    this.#kept = kept;
    this.#keptInBlock = new Uint32Array(kept ? Math.ceil(image.width / mosaic.block) : 0);
    image.core.view(sums, mosaicSumBytes(mosaic, image)).fill(0);
  }

  gridRowOf(y: number): number {
    return Math.floor(y / this.#mosaic.block);
  }

  /** No block of this mosaic covers a pixel of row `y`. */
  leavesUnchanged(y: number): boolean {
    return this.#painting.at(this.gridRowOf(y)).length === 0;
  }

  /** The row after the last one that the means of row `y` need. */
  endOf(y: number): number {
    return Math.min(this.#image.height, (this.gridRowOf(y) + 1) * this.#mosaic.block);
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
    if (kept.length > 0) for (const part of subtract(columns, parts)) this.#countKept(part);
    if (y + 1 === this.endOf(y)) this.#finish(gridRow, spans, y);
    return this.#adding.runsAt(gridRow) + (this.#kept?.adding.runsAt(y) ?? 0);
  }

  /** Writes the means over row `y`, whose grid row must be finished. */
  paint(y: number, row: Uint8Array): void {
    const gridRow = this.gridRowOf(y);
    const means = this.#means.get(gridRow);
    if (!means) return;
    const { block } = this.#mosaic;
    const words = pixelWords(row);
    const kept = this.#kept?.painting.at(y) ?? [];
    for (const { start, end } of subtract(this.#columnsOf(this.#painting.at(gridRow)), kept)) {
      for (let cell = Math.floor(start / block); cell * block < end; cell++) {
        words.fill(means[cell]!, Math.max(start, cell * block), Math.min((cell + 1) * block, end));
      }
    }
  }

  /** Forgets the means of every grid row that ends at or before row `y`. */
  forgetBefore(y: number): void {
    for (const gridRow of this.#means.keys()) {
      if ((gridRow + 1) * this.#mosaic.block <= y) this.#means.delete(gridRow);
    }
  }

  #columnsOf(blocks: readonly Span[]): Span[] {
    const { block } = this.#mosaic;
    const { width } = this.#image;
    return blocks.map(({ start, end }) => ({ start: start * block, end: Math.min(end * block, width) }));
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

  #countKept({ start, end }: Span): void {
    const { block } = this.#mosaic;
    for (let cell = Math.floor(start / block); cell * block < end; cell++) {
      this.#keptInBlock[cell]! += Math.min((cell + 1) * block, end) - Math.max(start, cell * block);
    }
  }

  #finish(gridRow: number, spans: readonly Span[], lastRow: number): void {
    const { block } = this.#mosaic;
    const { core, width, opaque } = this.#image;
    const blocks = Math.ceil(width / block);
    const sums = new Float64Array(core.exports.memory.buffer, this.#sums, blocks * 4);
    const means = new Uint32Array(blocks);
    const rows = lastRow + 1 - gridRow * block;
    for (const { start, end } of spans) {
      for (let cell = start; cell < end; cell++) {
        const columns = Math.min(block, width - cell * block);
        const hidden = rows * columns - (this.#keptInBlock[cell] ?? 0);
        const weight = opaque ? hidden : sums[cell * 4 + 3]!;
        const mean = (channel: number) => (weight === 0 ? 0 : Math.round(sums[cell * 4 + channel]! / weight));
        const alpha = opaque || hidden === 0 ? 255 : Math.round(weight / hidden);
        means[cell] = (mean(0) | (mean(1) << 8) | (mean(2) << 16) | (alpha << 24)) >>> 0;
        sums.fill(0, cell * 4, cell * 4 + 4);
      }
    }
    this.#means.set(gridRow, means);
    this.#keptInBlock.fill(0);
  }
}

/** The blocks that a mosaic's areas touch, as areas of its grid. */
export function touchedBlocks({ block, areas }: Mosaic): Area[] {
  return areas.map(({ ellipse, ...area }) => {
    const [x, y] = [Math.floor(area.x / block), Math.floor(area.y / block)];
    const [right, bottom] = [(area.x + area.width) / block, (area.y + area.height) / block];
    const blocks = { x, y, width: Math.ceil(right) - x, height: Math.ceil(bottom) - y };
    return ellipse ? { ...blocks, ellipse: scaled(ellipse, 1 / block) } : blocks;
  });
}

/** Runs of blocks over all rows of a picture of this height, each counted in every row that it covers. */
export const blockRuns = (mosaic: Mosaic, height: number): number =>
  runsOf(touchedBlocks(mosaic), Math.ceil(height / mosaic.block)) * mosaic.block;
