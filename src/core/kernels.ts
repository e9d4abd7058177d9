import { addressOf, type Core } from './instance.ts';

/**
 * What wasm/assembly/kernels exports. Addresses and sizes in bytes, counts in pixels unless said otherwise.
 */
export interface KernelExports {
  greyPixels(at: number, count: number): void;
  clearTransparentPixels(at: number, count: number): void;
  premultiplyPixels(at: number, count: number): void;
  sumBlocks(at: number, count: number, block: number, sums: number, weighted: number): void;
  turnPixels(
    from: number,
    columns: number,
    rows: number,
    to: number,
    rowStep: number,
    backwards: number,
  ): void;
  mirrorRows(at: number, columns: number, rows: number): void;
  flipRow(from: number, columns: number, to: number, mirror: number): void;
  narrowRow(from: number, to: number, width: number, starts: number, weights: number, taps: number): void;
  blendRows(rows: number, weights: number, taps: number, to: number, width: number, opaque: number): void;
}

/** Greys RGBA rows in place, alpha kept: Rec. 601 luma (src/pixels/grayscale.ts). */
export function greyRows(core: Core, rows: Uint8Array): void {
  core.exports.greyPixels(addressOf(core, rows), rows.byteLength >>> 2);
}

/** Makes pixels of alpha 0 transparent black, in place. */
export function clearTransparentRows(core: Core, rows: Uint8Array): void {
  core.exports.clearTransparentPixels(addressOf(core, rows), rows.byteLength >>> 2);
}

/** Mirrors rows of `columns` RGBA pixels in place. */
export function mirrorRows(core: Core, rows: Uint8Array, columns: number): void {
  core.exports.mirrorRows(addressOf(core, rows), columns, rows.byteLength / (columns * 4));
}

/** Bytes of one block's sums: red, green, blue and alpha as f64. */
export const BLOCK_SUM_BYTES = 32;

/**
 * Adds the pixels of one row to the sums of the blocks that they belong to; the first pixel is a block's first.
 * @param pixels of the row, RGBA
 * @param block edge of a block in pixels; the last may be cut
 * @param sums address of the first block's sums, BLOCK_SUM_BYTES each
 * @param weighted colours count alpha times
 */
export function addToBlockSums(
  core: Core,
  pixels: Uint8Array,
  block: number,
  sums: number,
  weighted: boolean,
): void {
  core.exports.sumBlocks(addressOf(core, pixels), pixels.byteLength >>> 2, block, sums, weighted ? 1 : 0);
}
