import { limitFault } from '../faults.ts';
import type { FileFacts, InputFormat } from '../metadata/facts.ts';

/** CPU time of reading a file, relative to that of reading the pixels of a PNG. */
interface ReadingCost {
  /** Of one pixel. */
  readonly pixel: number;
  /** Of one byte of the file. */
  readonly byte: number;
  /** Of one pixel with its bytes, at most. */
  readonly most?: number;
}

/**
 * Measured on the most expensive files of each format that were found; of AVIF and WebP, where the length of
 * the file tells most of it, above all of a row of files of one photograph (docs/measurements/benchmarks.md).
 * The JPEG decoder keeps checkpoints, so bands of a rotated image do not start over.
 */
const READING_COST: Readonly<Record<InputFormat, ReadingCost>> = {
  png: { pixel: 1, byte: 0 },
  tiff: { pixel: 2, byte: 0 },
  gif: { pixel: 1, byte: 0 },
  jpeg: { pixel: 0.5, byte: 0 },
  webp: { pixel: 0.35, byte: 4, most: 3 },
  avif: { pixel: 1.1, byte: 8 },
};
/** What a pixel of an AVIF takes more where chroma has all rows, and where there is alpha. */
const FULL_CHROMA_COST = 0.3;
const ALPHA_COST = 0.5;

/** CPU time of one reading, in pixels of a PNG. */
function readingCost({ format, width, height, avif }: FileFacts, inputBytes: number): number {
  const { pixel, byte, most = Number.POSITIVE_INFINITY } = READING_COST[format];
  const chroma = avif && !avif.colour.monochrome && avif.colour.subY === 0 ? FULL_CHROMA_COST : 0;
  const alpha = avif?.alpha ? ALPHA_COST : 0;
  const pixels = width * height;
  return Math.min(pixels * (pixel + chroma + alpha) + inputBytes * byte, pixels * most);
}

/** Formats of which all bands of a rotated image together cost about one read. */
const CHEAP_BANDS: ReadonlySet<InputFormat> = new Set(['jpeg']);

/** Formats of which no file has to be read to its end for its first rows. */
const ROW_BY_ROW: ReadonlySet<InputFormat> = new Set(['webp', 'avif']);

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
  /** Bands that a turned image is read in, each a read of the whole, or down to the band's last row. */
  readonly bands: number;
}

/** How often the whole is decoded for one reading of the upright picture. */
function readsPerPass({ format, orientation }: FileFacts, bands: number): number {
  if (CHEAP_BANDS.has(format)) return 1;
  // Upside down: the first band ends with the last row, the last one with the first rows.
  const isFlipped = orientation === 3 || orientation === 4;
  return isFlipped && ROW_BY_ROW.has(format) ? (bands + 1) / 2 : bands;
}

/**
 * Refuses a job that would hold the isolate for too long.
 * @param inputBytes length of the file
 * @throws Fault 'limit'
 */
export function requireAffordable(
  facts: FileFacts,
  inputBytes: number,
  { detection, result, bands }: SourceReads,
): void {
  const { format, width, height } = facts;
  const reads = (detection + result) * readsPerPass(facts, bands);
  const work = reads * readingCost(facts, inputBytes);
  if (work <= MAX_WORK) return;
  const megapixels = ((width * height) / 1e6).toFixed(1);
  throw limitFault(
    `A turned ${format.toUpperCase()} of ${megapixels} megapixels would have to be read ${Math.ceil(reads)} times ` +
      `for these ops, at most ${Math.floor((MAX_WORK / (work || 1)) * reads)} are allowed: send it ` +
      'upright, smaller or as JPEG, or with a lower strength',
  );
}
