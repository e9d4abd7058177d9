import type { Size } from '../codecs/types.ts';
import { limitFault } from '../faults.ts';
import type { FileFacts, InputFormat } from '../metadata/facts.ts';

/**
 * CPU time of reading one pixel, relative to a PNG's, measured on the most expensive files of each format
 * that were found. The JPEG decoder keeps checkpoints, so bands of a rotated image do not start over.
 */
const PIXEL_COST: Readonly<Record<InputFormat, number>> = {
  png: 1,
  tiff: 2,
  gif: 1,
  jpeg: 0.5,
  webp: 3,
  avif: 4,
};

/** Formats of which all bands of a rotated image together cost about one read. */
const CHEAP_BANDS: ReadonlySet<InputFormat> = new Set(['jpeg']);

/**
 * Bytes of upright rows that are held while an image is rotated. More means fewer bands, and fewer reads
 * where each band is a read of its own; less leaves memory for an output as large as a PNG of 50 megapixels.
 */
export const bandBytes = (format: InputFormat): number => (CHEAP_BANDS.has(format) ? 12 : 16) * 1024 * 1024;

/**
 * Most pixels that one job may read, over all its reads, in PNG pixels: about 25 s of CPU, half of what a
 * deployment allows a request. Every upright image of 50 megapixels stays far below it. A rotated one of a
 * format that is read anew for each band comes near it with faces, and exceeds it when coarse blocks double
 * its reads.
 */
const MAX_WORK = 2.8e9;

/** How often a job reads its source. */
export interface SourceReads {
  /** To detect faces: the whole picture, then the crops of a zoom pass. */
  readonly detection: number;
  /** To detect again and to encode; twice as often where coarse mosaics need two reads. */
  readonly result: number;
  /** Bands that a rotated image is read in, each a read of the whole. */
  readonly bands: number;
}

/**
 * Refuses a job that would hold the isolate for too long.
 * @throws Fault 'limit'
 */
export function requireAffordable(facts: FileFacts & Size, { detection, result, bands }: SourceReads): void {
  const { format, width, height } = facts;
  const readsPerPass = CHEAP_BANDS.has(format) ? 1 : bands;
  const reads = (detection + result) * readsPerPass;
  const work = reads * width * height * PIXEL_COST[format];
  if (work <= MAX_WORK) return;
  const megapixels = ((width * height) / 1e6).toFixed(1);
  throw limitFault(
    `A turned ${format.toUpperCase()} of ${megapixels} megapixels would have to be read ${reads} times ` +
      `for these ops, at most ${Math.floor((MAX_WORK / (work || 1)) * reads)} are allowed: send it ` +
      'upright, smaller or as JPEG, or with a lower strength',
  );
}
