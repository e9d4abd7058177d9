import type { Size } from '../codecs/types.ts';
import { limitFault } from '../faults.ts';
import type { FileFacts, InputFormat } from '../metadata/facts.ts';

/**
 * How dear one reading of a pixel is, relative to a PNG's, measured on the most expensive files of each
 * format that were found. A JPEG notes where its rows begin, so bands of a turn do not start over; WebP and
 * AVIF are held whole.
 */
const PIXEL_WORK: Readonly<Record<InputFormat, number>> = {
  png: 1,
  tiff: 2,
  gif: 1,
  jpeg: 0.5,
  webp: 0.2,
  avif: 0.2,
};

/** Formats whose bands of a turn cost about one reading together. */
const READS_BANDS_AT_ONCE: ReadonlySet<InputFormat> = new Set(['jpeg', 'webp', 'avif']);

/**
 * Upright rows held while an image is turned. More means fewer bands, and readings where each is a reading of
 * its own; less leaves room for an output as large as a PNG of 50 megapixels.
 */
export const bandBytes = (format: InputFormat): number =>
  (READS_BANDS_AT_ONCE.has(format) ? 12 : 16) * 1024 * 1024;

/**
 * Most pixels one job may read, over all its readings: about 25 s of CPU, half of what a deployment allows a
 * request. Every upright image of 50 megapixels stays far below it; a turned one of a format that must be
 * read anew for each band of the turn comes near it with faces, and over it when coarse blocks double its
 * readings.
 */
const MOST_WORK = 2.8e9;

/**
 * Readings of a job. A picture may be looked at twice for faces; coarse mosaics read what they hide twice.
 */
export interface Readings {
  readonly looks: number;
  readonly results: number;
  /** Parts that a turned picture is read in, each a reading of the whole. */
  readonly bands: number;
}

/**
 * Refuses a job that would hold the isolate for too long.
 * @throws Fault 'limit'
 */
export function requireAffordable(facts: FileFacts & Size, { looks, results, bands }: Readings): void {
  const { format, width, height } = facts;
  const parts = READS_BANDS_AT_ONCE.has(format) ? 1 : bands;
  const work = (looks + results) * parts * width * height * PIXEL_WORK[format];
  if (work <= MOST_WORK) return;
  const megapixels = ((width * height) / 1e6).toFixed(1);
  throw limitFault(
    `A turned ${format.toUpperCase()} of ${megapixels} megapixels would have to be read ${(looks + results) * parts} times ` +
      `for these ops, at most ${Math.floor((MOST_WORK / (work || 1)) * (looks + results) * parts)} are allowed: send it ` +
      'upright, smaller or as JPEG, or with a lower strength',
  );
}
