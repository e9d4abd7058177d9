import { BLOCK_SUM_BYTES } from '../../../wasm/assembly/kernels/constants.ts';
import { addressOf, type Core } from '../instance.ts';

/** Greys RGBA rows in place, alpha kept: Rec. 601 luma (src/pixels/grayscale.ts). */
export function greyRows(core: Core, rows: Uint8Array): void {
  core.exports.greyPixels(addressOf(core, rows), rows.byteLength >>> 2);
}

/** Makes pixels of alpha 0 transparent black, in place. */
export function clearTransparentRows(core: Core, rows: Uint8Array): void {
  core.exports.clearTransparentPixels(addressOf(core, rows), rows.byteLength >>> 2);
}

/** Whether any pixel of RGBA rows is not opaque. */
export function hasTransparentRows(core: Core, rows: Uint8Array): boolean {
  return core.exports.hasTransparentPixels(addressOf(core, rows), rows.byteLength >>> 2) !== 0;
}

/** Mirrors rows of `columns` RGBA pixels in place. */
export function mirrorRows(core: Core, rows: Uint8Array, columns: number): void {
  core.exports.mirrorRows(addressOf(core, rows), columns, rows.byteLength / (columns * 4));
}

export { BLOCK_SUM_BYTES };

/**
 * Adds the pixels of one row to the sums of their blocks; the first pixel is the first of a block.
 * @param pixels of the row, RGBA
 * @param block edge of a block in pixels; the last may be cut
 * @param sums address of the first block's sums, BLOCK_SUM_BYTES each
 * @param weighted colours are weighted by alpha
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
