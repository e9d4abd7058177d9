import { coreHolding } from './instance.ts';

/**
 * What wasm/assembly/kernels exports. Addresses and sizes in bytes, counts in pixels unless said otherwise.
 */
export interface KernelExports {
  greyPixels(at: number, count: number): void;
  clearTransparentPixels(at: number, count: number): void;
  premultiplyPixels(at: number, count: number): void;
  /** Leaves four u32 at `pixelSums()`. */
  sumPixels(at: number, count: number, weighted: number): void;
  pixelSums(): number;
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

/**
 * Greys RGBA pixels in place, alpha kept: the integer formula of src/pixels/grayscale.ts.
 * @returns false, nothing done, when the pixels do not lie in a core's memory
 */
export function greyInCore(pixels: Uint8Array): boolean {
  const core = coreHolding(pixels);
  core?.exports.greyPixels(pixels.byteOffset, pixels.byteLength >>> 2);
  return core !== undefined;
}

/**
 * Makes pixels of alpha 0 transparent black, in place.
 * @returns false, nothing done, when the pixels do not lie in a core's memory
 */
export function clearTransparentInCore(pixels: Uint8Array): boolean {
  const core = coreHolding(pixels);
  core?.exports.clearTransparentPixels(pixels.byteOffset, pixels.byteLength >>> 2);
  return core !== undefined;
}

/**
 * Mirrors rows of `columns` RGBA pixels in place.
 * @returns false, nothing done, when the pixels do not lie in a core's memory
 */
export function mirrorInCore(pixels: Uint8Array, columns: number): boolean {
  const core = coreHolding(pixels);
  core?.exports.mirrorRows(pixels.byteOffset, columns, pixels.byteLength / (columns * 4));
  return core !== undefined;
}

/**
 * Red, green, blue and alpha summed over pixels [start, end) of one row, 65,535 of them at most; valid until
 * the next call.
 * @param weighted colours count alpha times
 */
export type ChannelSums = (start: number, end: number, weighted: boolean) => Uint32Array;

/**
 * Sums over a row of RGBA; undefined when it does not lie in a core's memory. To be used before that memory
 * grows.
 */
export function channelSumsOver(row: Uint8Array): ChannelSums | undefined {
  const core = coreHolding(row);
  if (!core) return undefined;
  const { exports } = core;
  const sums = new Uint32Array(exports.memory.buffer, exports.pixelSums(), 4);
  return (start, end, weighted) => {
    exports.sumPixels(row.byteOffset + start * 4, end - start, weighted ? 1 : 0);
    return sums;
  };
}
