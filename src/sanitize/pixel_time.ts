import { decoders, encoders } from '../codecs/registry.ts';
import type { OutputFormat } from '../codecs/types.ts';
import type { InputFormat } from '../metadata/facts.ts';

/**
 * Nanoseconds that a pixel takes, for the time slices of jobs (src/time_slice.ts): CPU time of photographs on
 * the machine of docs/benchmarks.md, rounded up to files of high quality. Too much here costs turns,
 * too little lets others wait.
 */

/** The steps of an ordinary job together. */
const STEPS = 3;
/** To convert colours by the tables of a profile. */
const CONVERSION = 30;
/** To shrink a pixel for the detector. */
const SHRINKING = 6;

/** Of the time of decoding a pixel, what one that is shrunk on the way takes. */
const SHRUNK = 0.6;

/** One pixel of a shrunk picture stands for all that were read for it. */
const decodingTime = (from: InputFormat, factor: number): number =>
  decoders[from].reading.pixelTime * (factor > 1 ? SHRUNK * factor ** 2 : 1);

/** To resize a pixel that was read. */
const RESIZING = 4;

/** What `encodingTime` depends on beside the formats. */
interface ReadPixels {
  /** By how much the decoder has shrunk the picture. */
  readonly factor: number;
  readonly isConverted: boolean;
  /** Where the picture is resized, pixels of the result for one that was read: both count. Else 1. */
  readonly kept: number;
}

/** To read, change and encode a pixel. */
export function encodingTime(
  from: InputFormat,
  to: OutputFormat,
  { factor, isConverted, kept }: ReadPixels,
): number {
  const reading = decodingTime(from, factor) + (isConverted ? CONVERSION : 0);
  const writing = STEPS + encoders[to].pixelTime;
  return kept < 1 ? (reading + RESIZING + kept * writing) / (1 + kept) : reading + writing;
}

/** To read a pixel for detection. @param factor by which the decoder has shrunk the picture */
export const detectionTime = (from: InputFormat, factor: number): number =>
  decodingTime(from, factor) + STEPS + SHRINKING;

/** To make a decoder's tables and plan what is read of it. */
export const OPENING = 2_000_000;

/** What counts as a pixel while a file's own structure is walked: a quarter of a strip that is looked up. */
export const WALKING = 12;

/** To copy a byte to memory that is new. */
export const COPYING = 0.5;
