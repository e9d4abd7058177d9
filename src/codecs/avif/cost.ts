import { PAGE_BYTES } from '../../core/memory_pool.ts';
import { allocatedBytes, heldBytesFor, ROW_SLACK } from '../../core/sizes.ts';
import type { MemoryCost } from '../../memory/memory_cost.ts';
import type { Av1Coding, FileFacts } from '../../metadata/facts.ts';
import type { Want, Work } from '../types.ts';
import { gridBytes } from './grid.ts';
import { predictedLayersCost } from './predicted_cost.ts';
import { rgbaRowsBytes } from './rgba_rows.ts';

/** What a pixel takes more where chroma has all rows, and where there is alpha. */
const FULL_CHROMA_WORK: Work = 0.3;
const ALPHA_WORK: Work = 0.5;

/** Work of a pixel beside its bytes, which tell most (docs/measurements/benchmarks.md). */
export function avifPixelWork({ avif }: FileFacts): Work {
  const hasFullChroma = avif !== undefined && !avif.colour.monochrome && avif.colour.subY === 0;
  return 1.1 + (hasFullChroma ? FULL_CHROMA_WORK : 0) + (avif?.alpha ? ALPHA_WORK : 0);
}

/** What decoding a picture reserves in the core of the job, and in one of its own. */
function pictureBytes(coding: Av1Coding, inBands: boolean): { readonly own: number; readonly tiles: number } {
  const { columns, rows, width, decoderBytes, copiedBytes, bands } = coding;
  const copied = allocatedBytes(copiedBytes);
  if (columns === 1 && rows === 1) {
    return { own: decoderBytes + copied + (inBands && bands ? bands.bytes : 0), tiles: 0 };
  }
  // Each tile is copied by itself.
  const tiles = columns * decoderBytes + copied + columns * allocatedBytes(1);
  return { own: gridBytes(width, columns, coding), tiles: heldBytesFor([tiles]) };
}

/**
 * Bytes that reading an AVIF holds beyond its compressed bytes, at most: what its headers reserve. Nothing is
 * decoded of a picture whose headers can't be read.
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
  // A page more, since the file before it does not end at one.
  return { inCores: heldBytesFor([...own, rows, ROW_SLACK]) + tiles + PAGE_BYTES, elsewhere: 0 };
}
