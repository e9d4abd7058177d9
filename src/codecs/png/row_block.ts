import { FILTER_AVERAGE, FILTER_BEST, FILTER_NONE, ROW_LEAD, ROW_SLACK } from '../../core/constants.ts';
import { addressOf, type Core } from '../../core/instance.ts';
import { allocatedBytes } from '../../core/sizes.ts';
import type { Size } from '../types.ts';
import type { PixelRows } from './deflate.ts';
import { type IndexMeaning, Indices, indicesBytes } from './indices.ts';
import type { Layout } from './layout.ts';

/** Filtered rows go to the deflater in blocks of about this many bytes. */
const BLOCK_BYTES = 262_144;

/** Bytes of a packed row, with zeros before it for the filters and slack after it for wide stores. */
const packedStride = (rowBytes: number) => ROW_LEAD + allocatedBytes(rowBytes) + ROW_SLACK;

/** Rows of a block. They depend on the width alone, so that the source's strip height changes no byte. */
export const blockRows = (rowBytes: number) => Math.max(1, Math.floor(BLOCK_BYTES / packedStride(rowBytes)));

/** How rows are filtered: not at all, each by what fits it best, or all by the mean of two neighbours. */
export type RowFilter = 'none' | 'best' | 'average';

const FILTERS: Readonly<Record<RowFilter, number>> = {
  none: FILTER_NONE,
  best: FILTER_BEST,
  average: FILTER_AVERAGE,
};

/** Bytes of the buffers: an RGBA row from elsewhere, packed rows, filtered rows, the palette. */
type BufferSizes = readonly [rgba: number, packed: number, filtered: number, palette: number];

function bufferSizes({ width, height }: Size, layout: Layout): BufferSizes {
  const rowBytes = width * channelsOf(layout);
  const rows = Math.min(height, blockRows(rowBytes));
  const sizes = [
    width * 4 + ROW_SLACK,
    (rows + 1) * packedStride(rowBytes),
    rows * (rowBytes + 1) + ROW_SLACK,
    layout === 'indexed' ? indicesBytes() : 0,
  ] as const;
  return sizes.map(allocatedBytes) as unknown as BufferSizes;
}

const channelsOf = (layout: Layout) => (layout === 'indexed' ? 1 : layout);

/** Bytes of core memory that a block takes, exactly. */
export const blockBytes = (size: Size, layout: Layout) =>
  bufferSizes(size, layout).reduce((sum, bytes) => sum + bytes, 0);

/** Bytes besides a block while indexed rows become pixels again: a copy of them, their palette, one row. */
export const unindexingBytes = (width: number, height: number) =>
  Math.min(height, blockRows(width)) * width + 256 * 4 + width * 4;

/**
 * Consecutive rows, packed from RGBA to the channels of a layout or to palette indices, then filtered.
 */
export class RowBlock {
  readonly capacity: number;
  readonly #core: Core;
  readonly #width: number;
  readonly #channels: number;
  /** Bytes of a row before filtering. */
  readonly rowBytes: number;
  readonly #stride: number;
  readonly #rgba: number;
  /** Slot 0 holds the row above the block; all zero before the first. */
  readonly #packed: number;
  readonly #filtered: number;
  readonly #indices: Indices | undefined;
  #rows = 0;

  /** @param at address of `blockBytes` reserved bytes in the core, a multiple of 16 */
  constructor(core: Core, at: number, size: Size, layout: Layout) {
    const [rgba, packed, filtered, palette] = bufferSizes(size, layout);
    this.#core = core;
    this.#width = size.width;
    this.#channels = channelsOf(layout);
    this.rowBytes = size.width * this.#channels;
    this.#stride = packedStride(this.rowBytes);
    this.#rgba = at;
    this.#packed = this.#rgba + rgba;
    this.#filtered = this.#packed + packed;
    core.view(this.#packed, packed).fill(0);
    this.#indices = palette === 0 ? undefined : new Indices(core, this.#filtered + filtered);
    this.capacity = Math.min(size.height, blockRows(this.rowBytes));
  }

  get rows(): number {
    return this.#rows;
  }

  /** Copies a row from elsewhere into the core, for `push`. Valid until the next call. */
  staged(rgba: Uint8Array): Uint8Array {
    const copy = this.#core.view(this.#rgba, rgba.length);
    copy.set(rgba);
    return copy;
  }

  /**
   * Takes one row of RGBA in the core.
   * @returns false if the palette has no room for its colours: then the row is not taken
   */
  push(rgba: Uint8Array): boolean {
    const { exports } = this.#core;
    // A view is empty once its memory has grown.
    if (rgba.length !== this.#width * 4) throw new Error('A row was promised but is not there');
    const from = addressOf(this.#core, rgba);
    const row = this.#row(this.#rows + 1);
    if (!this.#indices) exports.pngPack(from, row, this.#width, this.#channels);
    else if (!this.#indices.write(from, row, this.#width)) return false;
    this.#rows++;
    return true;
  }

  /**
   * A copy of the palette before it is arranged: RGBA, in the order the colours came. Empty if pixels are not
   * indices.
   */
  palette(): Uint8Array<ArrayBuffer> {
    return this.#indices?.colours() ?? new Uint8Array(0);
  }

  /**
   * Counts the colours of one more row after the palette is full. The block's rows are overwritten.
   * @returns false if the row has the 257th colour
   */
  look(rgba: Uint8Array): boolean {
    const row = this.#row(1);
    return this.#indices?.look(addressOf(this.#core, rgba), row, this.#width) ?? false;
  }

  /** A copy of all colours so far, RGBA, in no order. */
  allColours(): Uint8Array {
    return this.#indices?.met() ?? new Uint8Array(0);
  }

  /** Bits of a sample. */
  get depth(): number {
    return this.#indices?.depth ?? 8;
  }

  /** The shape of the rows that `filtered` returns, once bits are chosen. */
  get pixelRows(): PixelRows {
    return {
      pixelBytes: this.depth < 8 ? 0 : this.#channels,
      rowBytes: Math.ceil((this.rowBytes * this.depth) / 8) + 1,
    };
  }

  /** Number of colours so far. */
  get colours(): number {
    return this.#indices?.count ?? 0;
  }

  /**
   * Gives the colours so far their final indices, and rewrites the block's rows, the first of the picture.
   * @param colours the fewest that there has to be room for
   */
  arrange(colours: number): void {
    const index = this.#indices?.arrange(colours);
    if (!index) return;
    for (let i = 1; i <= this.#rows; i++) {
      const row = this.#core.view(this.#row(i), this.rowBytes);
      for (let x = 0; x < row.length; x++) row[x] = index[row[x]!]!;
    }
  }

  /** The meaning of the indices; undefined if pixels are not indices. */
  meaning(): IndexMeaning | undefined {
    return this.#indices?.meaning();
  }

  /** A copy of the rows since the last restart, before filtering. */
  unfiltered(): Uint8Array<ArrayBuffer> {
    const copy = new Uint8Array(this.#rows * this.rowBytes);
    for (let i = 0; i < this.#rows; i++)
      copy.set(this.#core.view(this.#row(i + 1), this.rowBytes), i * this.rowBytes);
    return copy;
  }

  /**
   * Rows [from, to), filtered. Rows whose samples share bytes always get type 0 (ISO/IEC 15948 section 12.8).
   * Valid until the next call.
   */
  filtered(filter: RowFilter, from = 0, to = this.#rows): Uint8Array {
    const { exports } = this.#core;
    const { depth } = this;
    const stride = this.pixelRows.rowBytes;
    for (let i = from; i < to; i++) {
      const out = this.#filtered + (i - from) * stride;
      if (depth < 8) {
        this.#core.view(out, 1)[0] = 0;
        exports.pngPackBits(this.#row(i + 1), out + 1, this.#width, depth);
        continue;
      }
      exports.pngFilter(this.#row(i + 1), this.#row(i), out, this.rowBytes, this.#channels, FILTERS[filter]);
    }
    return this.#core.view(this.#filtered, (to - from) * stride);
  }

  /** Empties the block; its last row becomes the one above the next. */
  restart(): void {
    const last = this.#core.view(this.#row(this.#rows), this.rowBytes);
    this.#core.view(this.#row(0), this.rowBytes).set(last);
    this.#rows = 0;
  }

  #row(slot: number): number {
    return this.#packed + slot * this.#stride + ROW_LEAD;
  }
}
