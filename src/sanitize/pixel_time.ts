import { decoders, encoders } from '../codecs/registry.ts';
import type { OutputFormat } from '../codecs/types.ts';
import type { FileFacts } from '../metadata/facts.ts';
import { rowsWork, WORK_TIME, type Work } from '../scheduling/work.ts';

/**
 * Nanoseconds that a pixel takes, for the time slices of jobs (time_slice.ts): CPU time on the machine of
 * docs/benchmarks.md, rounded up, and by the file's bytes per pixel where these predict it. Too high a figure
 * costs turns, each of which sleeps a millisecond in workerd; too low a figure makes others wait.
 */

/** The steps of an ordinary job together. */
const STEPS_TIME = 3;
/** To convert colours by a profile's tables. */
const CONVERSION_TIME = 30;
/** To shrink a pixel for the detector. */
const SHRINK_TIME = 6;

/** The share of a pixel's decoding time that it takes when it is shrunk on the way. */
const SHRUNK = 0.6;

/** A file that is read. */
interface ReadFile {
  readonly facts: FileFacts;
  /** Its length. */
  readonly bytes: number;
}

const density = ({ facts, bytes }: ReadFile): number => bytes / (facts.width * facts.height);

/** To decode a pixel. One pixel of a shrunk picture stands for all stored pixels that were read for it. */
function decodingTime(file: ReadFile, factor: number): number {
  const { reading } = decoders[file.facts.format];
  const times = reading.times?.(file.facts);
  const stored = times ? times.pixel + times.byte * density(file) : reading.pixelTime;
  return stored * (factor > 1 ? SHRUNK * factor ** 2 : 1);
}

/**
 * The nanoseconds that a job announces: its work, or one read of the picture if that is more. Some formats
 * take much longer than a PNG of as much work.
 */
export const announcedTime = (work: Work, file: ReadFile): number =>
  Math.max(work * WORK_TIME, rowsWork(file.facts.height, file.facts.width) * decodingTime(file, 1));

/**
 * To write a pixel. A picture's own file shows how much detail it has, if both formats are lossless or both
 * lossy: a PNG of few bytes may be what a JPEG takes longest for, and the other way round.
 */
function writingTime(file: ReadFile, to: OutputFormat): number {
  const { denseFrom, lossless } = decoders[file.facts.format].reading;
  const { pixelTime, times, lossless: keepsAll } = encoders[to];
  if (denseFrom === undefined || times === undefined) return pixelTime;
  const detail = lossless === keepsAll ? Math.min(1, density(file) / denseFrom) : 1;
  return times.plain + (times.dense - times.plain) * detail;
}

/** To resize a pixel that was read. */
const RESIZE_TIME = 4;

/** What `encodingTime` depends on, apart from file and format. */
interface ReadPixels {
  /** The factor by which the decoder has shrunk the picture. */
  readonly factor: number;
  readonly isConverted: boolean;
  /** If the picture is resized, output pixels per pixel read, as both are counted. Else 1. */
  readonly kept: number;
}

/** To read, change and encode a pixel. */
export function encodingTime(
  file: ReadFile,
  to: OutputFormat,
  { factor, isConverted, kept }: ReadPixels,
): number {
  const reading = decodingTime(file, factor) + (isConverted ? CONVERSION_TIME : 0);
  if (kept === 1) return reading + STEPS_TIME + writingTime(file, to);
  // A pixel of a smaller picture has the detail of several.
  const writing = STEPS_TIME + encoders[to].pixelTime;
  return (reading + RESIZE_TIME + kept * writing) / (1 + kept);
}

/**
 * Whether no pixel takes longer than `encodingTime` says. So it is with plain pictures that are read once,
 * from top to bottom, as most are. Measured, these take half to three quarters of that time.
 * @param hasTables its colours are converted by a profile's tables
 */
export const isSteady = (
  { format, orientation, progressive, bitDepth }: FileFacts,
  hasTables: boolean,
): boolean =>
  !!decoders[format].reading.steady && orientation === 1 && !progressive && bitDepth <= 8 && !hasTables;

/** To read a pixel for detection. @param factor by which the decoder has shrunk the picture */
export const detectionTime = (file: ReadFile, factor: number): number =>
  decodingTime(file, factor) + STEPS_TIME + SHRINK_TIME;

/** To make a decoder's tables and to plan its read: twice what the slowest of four formats took, or more. */
export const OPEN_TIME = 1_000_000;

/**
 * The price of each unit of work while a file's structure is walked: a quarter of a strip that is looked up.
 */
export const WALK_TIME = 12;

/** To copy a byte to memory that is new. */
export const COPY_TIME = 0.5;
