import { ROW_SLACK } from '../../core/constants.ts';
import { PAGE_BYTES } from '../../core/memory_pool.ts';
import { allocatedBytes, heldBytesFor } from '../../core/sizes.ts';
import type { MemoryCost } from '../../memory/memory_cost.ts';
import type { Av1Coding, FileFacts } from '../../metadata/facts.ts';
import type { Size, Want, Work } from '../types.ts';
import { gridBytes } from './grid.ts';
import { predictedLayersCost } from './predicted_cost.ts';
import { rgbaRowsBytes } from './rgba_rows.ts';
import { scaledPlaneBytes } from './scaled_plane.ts';

/** The additional work of a pixel if chroma has all rows, and if there is alpha. */
const FULL_CHROMA_WORK: Work = 0.3;
const ALPHA_WORK: Work = 0.5;

/** The work of a pixel without its bytes, which make up most (docs/measurements/benchmarks.md). */
export function avifPixelWork({ avif }: FileFacts): Work {
  const hasFullChroma = avif !== undefined && !avif.colour.monochrome && avif.colour.subY === 0;
  return 1.1 + (hasFullChroma ? FULL_CHROMA_WORK : 0) + (avif?.alpha ? ALPHA_WORK : 0);
}

/** The bytes that decoding a picture reserves in the core of the job, and in a core of its own. */
function pictureBytes(coding: Av1Coding, inBands: boolean): { readonly own: number; readonly tiles: number } {
  const { columns, rows, width, decoderBytes, copiedBytes, bands } = coding;
  const copied = allocatedBytes(copiedBytes);
  if (columns === 1 && rows === 1) {
    return { own: decoderBytes + copied + (inBands && bands ? bands.bytes : 0), tiles: 0 };
  }
  // Each tile is copied separately.
  const tiles = columns * decoderBytes + copied + columns * allocatedBytes(1);
  return { own: gridBytes(width, columns, coding), tiles: heldBytesFor([tiles]) };
}

/** Whether a plane that is no grid is as large as the picture, and must be scaled otherwise. */
export const isOfOtherSize = (plane: Av1Coding, { width, height }: Size): boolean =>
  plane.columns * plane.rows === 1 && (plane.width !== width || plane.height !== height);

/**
 * The most bytes that reading an AVIF holds in addition to its compressed bytes: what its headers reserve. A
 * picture with unreadable headers is not decoded at all.
 */
export function avifDecodeCost(
  { width, height, avif }: FileFacts,
  { preferHighBitDepth, columnBands }: Want,
): MemoryCost {
  if (!avif) return { inCores: heldBytesFor([]) + PAGE_BYTES, elsewhere: 0 };
  const { colour, alpha, predicted } = avif;
  if (predicted) return predictedLayersCost({ width, height }, avif, predicted);
  const wide = preferHighBitDepth === true && colour.depth > 8;
  const pictures = [colour, ...(alpha ? [alpha] : [])].map((coding) =>
    pictureBytes(coding, columnBands !== undefined),
  );
  const own = pictures.map((picture) => picture.own);
  const tiles = pictures.reduce((sum, picture) => sum + picture.tiles, 0);
  const rows = rgbaRowsBytes({ width, height }, colour, wide);
  const scaled =
    alpha && isOfOtherSize(alpha, { width, height }) && scaledPlaneBytes(alpha, { width, height });
  // One page more, as the file before it need not end at a page.
  const inCore = [...own, rows, ROW_SLACK, ...(scaled ? [scaled.own] : [])];
  return { inCores: heldBytesFor(inCore) + tiles + PAGE_BYTES, elsewhere: scaled ? scaled.elsewhere : 0 };
}
