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
   * Bytes of a palette being made: how many colours there are in its first 4, the colours as RGBA from
   * PALETTE_COLOURS on.
   */
  pngPaletteBytes(): number;
  /** @returns 0, or 1 where there are more than 256 colours: the row is then not indexed */
  pngIndex(rgba: number, out: number, width: number, palette: number): number;
  pngFilter(row: number, above: number, out: number, bytes: number, bpp: number, adaptive: number): void;
}

export * from '../../wasm/assembly/png/constants.ts';
