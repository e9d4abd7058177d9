import type { Size } from '../codecs/types.ts';
import { type ChannelSums, channelSumsOver } from '../core/kernels.ts';
import { pixelWords } from './pixel_words.ts';
import type { Rect } from './rect.ts';

/**
 * One grid of square blocks anchored at the image origin, and the areas it hides: every block that an area
 * touches is replaced whole by its mean.
 */
export interface Mosaic {
  /** Edge of a block in pixels, 2 or more; blocks at the right and bottom border are cut. */
  readonly block: number;
  readonly areas: readonly Rect[];
}

/** Blocks [start, end) of one grid row. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** From blocks of this edge on a call to the core costs less than it saves. */
const KERNEL_BLOCK = 16;

/** The means of one mosaic, gathered row by row and painted row by row. */
export class MosaicMeans {
  readonly mosaic: Mosaic;
  readonly #image: Size;
  readonly #opaque: boolean;
  readonly #spans = new Map<number, Span[]>();
  /** Means of each finished grid row that is still to be painted, one 32-bit pixel a block. */
  readonly #means = new Map<number, Uint32Array>();
  readonly #sums: Float64Array;

  constructor(mosaic: Mosaic, image: Size, opaque: boolean) {
    this.mosaic = mosaic;
    this.#image = image;
    this.#opaque = opaque;
    const blocks = Math.ceil(image.width / mosaic.block);
    this.#sums = new Float64Array(blocks * 4);
  }

  /** The covered blocks of grid row `gridRow`, merged and in order. */
  spans(gridRow: number): readonly Span[] {
    let spans = this.#spans.get(gridRow);
    if (!spans) {
      spans = mergedSpans(this.mosaic, gridRow);
      this.#spans.set(gridRow, spans);
    }
    return spans;
  }

  gridRowOf(y: number): number {
    return Math.floor(y / this.mosaic.block);
  }

  /** Nothing of row `y` is hidden by this mosaic. */
  leavesAlone(y: number): boolean {
    return this.spans(this.gridRowOf(y)).length === 0;
  }

  /** The row after the last one that the means of row `y` need. */
  endOf(y: number): number {
    return Math.min(this.#image.height, (this.gridRowOf(y) + 1) * this.mosaic.block);
  }

  /** Adds one row of original pixels; when it ends its grid row, the means of that row are ready. */
  add(y: number, row: Uint8Array): void {
    const gridRow = this.gridRowOf(y);
    const spans = this.spans(gridRow);
    if (spans.length === 0) return;
    const byCore = this.mosaic.block >= KERNEL_BLOCK ? channelSumsOver(row) : undefined;
    for (const span of spans) {
      if (byCore) this.#addByCore(span, byCore);
      else if (this.#opaque) this.#addOpaque(span, row);
      else this.#addWeighted(span, row);
    }
    if (y + 1 === this.endOf(y)) this.#finish(gridRow, spans, y);
  }

  /** Writes the means over row `y`, whose grid row must be finished. */
  paint(y: number, row: Uint8Array): void {
    const gridRow = this.gridRowOf(y);
    const means = this.#means.get(gridRow);
    if (!means) return;
    const { block } = this.mosaic;
    const words = pixelWords(row);
    for (const { start, end } of this.spans(gridRow)) {
      for (let cell = start; cell < end; cell++) {
        words.fill(means[cell]!, cell * block, Math.min((cell + 1) * block, this.#image.width));
      }
    }
  }

  /** Forgets the means of every grid row that ends at or before row `y`. */
  forgetBefore(y: number): void {
    for (const gridRow of this.#means.keys()) {
      if ((gridRow + 1) * this.mosaic.block <= y) {
        this.#means.delete(gridRow);
        this.#spans.delete(gridRow);
      }
    }
  }

  /** The same sums by the core's kernel, of a row that lies in its memory. */
  #addByCore({ start, end }: Span, channelSums: ChannelSums): void {
    const { block } = this.mosaic;
    const sums = this.#sums;
    for (let cell = start; cell < end; cell++) {
      const last = Math.min((cell + 1) * block, this.#image.width);
      const added = channelSums(cell * block, last, !this.#opaque);
      const at = cell * 4;
      sums[at] = sums[at]! + added[0]!;
      sums[at + 1] = sums[at + 1]! + added[1]!;
      sums[at + 2] = sums[at + 2]! + added[2]!;
      sums[at + 3] = sums[at + 3]! + added[3]!;
    }
  }

  #addOpaque({ start, end }: Span, row: Uint8Array): void {
    const { block } = this.mosaic;
    const sums = this.#sums;
    for (let cell = start; cell < end; cell++) {
      const last = Math.min((cell + 1) * block, this.#image.width) * 4;
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let i = cell * block * 4; i < last; i += 4) {
        red += row[i]!;
        green += row[i + 1]!;
        blue += row[i + 2]!;
      }
      sums[cell * 4] = sums[cell * 4]! + red;
      sums[cell * 4 + 1] = sums[cell * 4 + 1]! + green;
      sums[cell * 4 + 2] = sums[cell * 4 + 2]! + blue;
    }
  }

  #addWeighted({ start, end }: Span, row: Uint8Array): void {
    const { block } = this.mosaic;
    const sums = this.#sums;
    for (let cell = start; cell < end; cell++) {
      const last = Math.min((cell + 1) * block, this.#image.width) * 4;
      let red = 0;
      let green = 0;
      let blue = 0;
      let alpha = 0;
      for (let i = cell * block * 4; i < last; i += 4) {
        const weight = row[i + 3]!;
        red += row[i]! * weight;
        green += row[i + 1]! * weight;
        blue += row[i + 2]! * weight;
        alpha += weight;
      }
      sums[cell * 4] = sums[cell * 4]! + red;
      sums[cell * 4 + 1] = sums[cell * 4 + 1]! + green;
      sums[cell * 4 + 2] = sums[cell * 4 + 2]! + blue;
      sums[cell * 4 + 3] = sums[cell * 4 + 3]! + alpha;
    }
  }

  #finish(gridRow: number, spans: readonly Span[], lastRow: number): void {
    const { block } = this.mosaic;
    const sums = this.#sums;
    const means = new Uint32Array(sums.length / 4);
    const rows = lastRow + 1 - gridRow * block;
    for (const { start, end } of spans) {
      for (let cell = start; cell < end; cell++) {
        const columns = Math.min(block, this.#image.width - cell * block);
        const weight = this.#opaque ? rows * columns : sums[cell * 4 + 3]!;
        const mean = (channel: number) => (weight === 0 ? 0 : Math.round(sums[cell * 4 + channel]! / weight));
        const alpha = this.#opaque ? 255 : Math.round(weight / (rows * columns));
        means[cell] = (mean(0) | (mean(1) << 8) | (mean(2) << 16) | (alpha << 24)) >>> 0;
        sums.fill(0, cell * 4, cell * 4 + 4);
      }
    }
    this.#means.set(gridRow, means);
  }
}

function mergedSpans({ block, areas }: Mosaic, gridRow: number): Span[] {
  const touched = areas
    .filter(({ y, height }) => y < (gridRow + 1) * block && y + height > gridRow * block)
    .map(({ x, width }) => ({ start: Math.floor(x / block), end: Math.ceil((x + width) / block) }))
    .sort((a, b) => a.start - b.start);
  const merged: Span[] = [];
  for (const span of touched) {
    const last = merged.at(-1);
    if (last && span.start <= last.end)
      merged[merged.length - 1] = { ...last, end: Math.max(last.end, span.end) };
    else merged.push(span);
  }
  return merged;
}
