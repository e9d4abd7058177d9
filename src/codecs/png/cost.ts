import { ROW_SLACK } from '../../core/constants.ts';
import { inflateStreamBytes } from '../../core/deflate/inflate.ts';
import type { Core } from '../../core/instance.ts';
import { heldBytesFor } from '../../core/sizes.ts';
import { rowsOfStrip } from '../../scheduling/work.ts';
import type { Size } from '../types.ts';
import { PASSES, passSize } from './adam7.ts';
import { rowBytes, TABLE_BYTES } from './expansion.ts';

/** Everything that the memory of reading an image depends on. */
export interface PngShape extends Size {
  readonly depth: number;
  readonly colourType: number;
  readonly interlaced: boolean;
}

export const stripRows = ({ width, height }: Size) => rowsOfStrip(width, height);

/** Bytes of a strip of 16-bit samples, which is held outside the core. */
export const strip16Bytes = (size: Size) => stripRows(size) * size.width * 8;

/** Addresses of the buffers of one read. */
export interface PngBuffers {
  readonly strip: number;
  readonly table: number;
  /** One filtered row, its filter type first. */
  readonly filtered: number;
  /** One row of RGBA: the last of the previous strip, or of an interlace pass. */
  readonly rgba: number;
  /** Two reconstructed rows for each pass that has pixels, zeroed; one pass if not interlaced. */
  readonly rows: readonly (readonly [number, number])[];
}

/** Sizes of the buffers in the order of allocation. */
function bufferSizes(shape: PngShape): number[] {
  const { width, depth, colourType } = shape;
  const row = rowBytes(colourType, depth, width);
  const sizes = [
    stripRows(shape) * width * 4 + ROW_SLACK,
    TABLE_BYTES,
    row + 1 + ROW_SLACK,
    width * 4 + ROW_SLACK,
  ];
  for (const passWidth of passWidths(shape)) {
    const bytes = rowBytes(colourType, depth, passWidth) + ROW_SLACK;
    sizes.push(bytes, bytes);
  }
  return sizes;
}

function passWidths(shape: PngShape): number[] {
  if (!shape.interlaced) return [shape.width];
  return PASSES.map((pass) => passSize(pass, shape))
    .filter((size) => size.height > 0 && size.width > 0)
    .map((size) => size.width);
}

/** Bytes of core memory that reading the image holds, exactly. */
export function decodeBytes(shape: PngShape): number {
  const streams = shape.interlaced ? passWidths(shape).length : 1;
  return heldBytesFor([...bufferSizes(shape), ...new Array<number>(streams).fill(inflateStreamBytes())]);
}

/** Reserves what `decodeBytes` counts, streams excepted. */
export function allocateBuffers(core: Core, shape: PngShape): PngBuffers {
  const sizes = bufferSizes(shape);
  const [strip, table, filtered, rgba, ...rows] = sizes.map((size) => core.alloc(size));
  const pairs: [number, number][] = [];
  for (let i = 0; i < rows.length; i += 2) pairs.push([rows[i]!, rows[i + 1]!]);
  core.view(rgba!, sizes[3]!).fill(0);
  rows.forEach((row, i) => {
    core.view(row, sizes[4 + i]!).fill(0);
  });
  return { strip: strip!, table: table!, filtered: filtered!, rgba: rgba!, rows: pairs };
}
