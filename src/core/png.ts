/** What wasm/assembly/png exports. Addresses and sizes in bytes unless said otherwise. */
export interface PngExports {
  /** @returns 0, or 1 for a filter type that does not exist */
  pngUnfilter(
    filter: number,
    filtered: number,
    above: number,
    out: number,
    bytes: number,
    bpp: number,
  ): number;
  /** 8-bit RGB straight to RGBA, `above` being RGBA too. @returns as `pngUnfilter` */
  pngUnfilterRgb(filter: number, filtered: number, above: number, out: number, width: number): number;
  pngExpandTable(row: number, out: number, width: number, depth: number, table: number): void;
  pngExpandGrey8(row: number, out: number, width: number): void;
  pngExpand(layout: number, row: number, out: number, width: number): void;
  pngApplyKey(row: number, out: number, width: number, key: bigint, bytes: number): void;
  pngScatter(row: number, out: number, count: number, step: number): void;
  pngPack(rgba: number, out: number, width: number, channels: number): void;
  /**
   * Bytes of a book of colours: how many there are in its first 4, the colours as RGBA from PNG_BOOK_COLOURS
   * on.
   */
  pngBookBytes(): number;
  /** @returns 0, or 1 where there are more than 256 colours: the row is then not indexed */
  pngIndex(rgba: number, out: number, width: number, book: number): number;
  pngFilter(row: number, above: number, out: number, bytes: number, bpp: number, adaptive: number): void;
}

/** Layouts of `pngExpand` (wasm/assembly/png/expand.ts). */
export const PngLayout = {
  rgb8: 0,
  rgba8: 1,
  greyAlpha8: 2,
  grey16: 3,
  rgb16: 4,
  greyAlpha16: 5,
  rgba16: 6,
} as const;

/** Bytes that row routines may read or write beyond a row: a row's buffer has so many more. */
export const ROW_SLACK = 64;

/** Bytes that the filters read before a row: zero, they stand for the pixel left of the first. */
export const ROW_LEAD = 16;

/** Where the colours of a book begin (wasm/assembly/png/palette.ts). */
export const PNG_BOOK_COLOURS = 16;
