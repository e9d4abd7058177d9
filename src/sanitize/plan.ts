import { decoders, encoders } from '../codecs/registry.ts';
import type { Chroma, Decoder, Encoder, Size, Want } from '../codecs/types.ts';
import { type MemoryCost, NO_MEMORY, totalBytes } from '../memory/memory_cost.ts';
import type { FileFacts } from '../metadata/facts.ts';
import type { SanitizeOps } from '../ops/schema.ts';
import { blockEdge, readsTwice } from '../pixels/block_edges.ts';
import type { ColourSource } from '../pixels/colour/stated.ts';
import { blockRuns } from '../pixels/mosaic.ts';
import { bandRows, columnBands, swapsSides } from '../pixels/orient.ts';
import { runsOf } from '../pixels/row_spans.ts';
import type { Work } from '../scheduling/work.ts';
import { chosenChroma } from './chroma.ts';
import { affordableBands, type BandBytes, type SourceReads } from './cost_limit.ts';
import { hidesAnything, MOSAIC_BYTES, regionAreas } from './mosaic_plan.ts';
import { type JobSizes, jobSizes } from './steps.ts';

/**
 * Before a resize, the decoder shrinks to no less than this many times the target, so that Lanczos has detail
 * to work on.
 */
const SHRINK_MARGIN = 2;
/**
 * The same if the output is lossy and the source is read for resizing: docs/benchmarks.md has the quality.
 */
const LOSSY_SHRINK_MARGIN = 1.5;
/** From this quality on, a lossy output has hardly any losses of its own. */
const FINE_QUALITY = 95;
/** What a job holds in addition to the parts that state their cost: request and response objects, strips. */
const OVERHEAD_BYTES = 2 * 1024 * 1024;

/** What the plan asks the detector: its memory, and how wide it needs the image. */
export interface DetectionCost {
  cost(size: Size): MemoryCost;
  wantedWidth(size: Size): number;
}

/** The same for a search for other things. */
export interface SearchCost extends DetectionCost {
  /** Reads of the source. */
  readonly reads: number;
  /** Work beside these reads. Absent: none. */
  work?(size: Size): Work;
}

/** Everything that follows from the header and the ops alone. */
export interface SanitizePlan extends JobSizes {
  readonly bands: BandBytes;
  /** All work that the header and the ops announce: reading, hiding, looking for text. */
  readonly work: Work;
  readonly decoder: Decoder;
  readonly encoder: Encoder;
  /** The chroma that is written. Undefined: quality and content decide. */
  readonly chroma: Chroma | undefined;
  /** How the source is read for faces, and for the result. */
  readonly wantForDetection: Want;
  readonly wantForResult: Want;
  /** Bytes that this job holds at its peak, including its compressed input. */
  readonly predictedBytes: number;
  /** The longest output that fits into `predictedBytes`. */
  readonly maxOutputBytes: number;
  /** Bytes that the job would hold if its output were almost empty. */
  readonly leastBytes: number;
  /**
   * The output's length is only a guess, as nothing in the source tells it. If nothing but the guess does not
   * fit, the job is tried all the same, since an encoder stops at its limit. Other jobs are refused before
   * decoding.
   */
  readonly isOutputGuessed: boolean;
  /** Of the predicted bytes without the file, the most that lie outside of image cores at one time. */
  readonly outsideCores: number;
  /** The share of the encoder's memory that lies outside of image cores, 0 to 1. */
  readonly encodedOutside: number;
}

/**
 * Sizes, reads and predicted memory of a job; a pure function.
 * @param inputBytes length of the compressed image
 * @param beside work of this job's other reads of the picture
 * @throws ParameterFault when the crop lies outside the image; Fault 'limit' for a job that reads too much,
 * or an output larger than its format allows
 */
export function planSanitize(
  facts: FileFacts,
  ops: SanitizeOps,
  inputBytes: number,
  detection: DetectionCost,
  { conversion }: Pick<ColourSource, 'conversion'> = {},
  searches: readonly (SearchCost & { readonly findAgain?: unknown })[] = [],
  beside: Work = 0,
): SanitizePlan {
  const decoder = decoders[facts.format];
  const encoder = encoders[ops.output.format];
  const { output, crop: shown } = jobSizes({ facts, ops });
  const looking = beside + searchWork(searches, shown);
  const { work, ...bands } = affordableBands(facts, inputBytes, {
    ...sourceReads(ops, { crop: shown, output }, searches),
    beside: looking,
  });
  const sizes = jobSizes({ facts, ops, conversion, bandBytes: bands.result });
  const { detectionStepBytes } = jobSizes({ facts, ops, bandBytes: bands.detection });
  const { crop, stepBytes } = sizes;

  const { faces, verify } = ops.pixelate;
  const wantForDetection: Want = {
    ...(faces && shrunkTo(facts, detection.wantedWidth(crop) / crop.width)),
    ...inColumns(facts, bands.detection),
  };
  // A shrinking decoder mixes pixels from both sides of the crop's edge: only a whole image is read shrunk.
  const isWhole = crop.width * crop.height === facts.width * facts.height;
  const wantForResult: Want = {
    ...(isWhole && shrunkForResizing(facts, ops, sizes, conversion === undefined)),
    ...(conversion && { preferHighBitDepth: true }),
    ...inColumns(facts, bands.result),
  };

  const detector = faces ? detection.cost(crop) : NO_MEMORY;
  const detectionBytes = Math.max(
    faces ? totalBytes(decoder.cost(facts, wantForDetection)) + detectionStepBytes + totalBytes(detector) : 0,
    ...searches.map((one) => {
      const reading = decoder.cost(facts, wantOf(one, facts, crop, bands));
      return totalBytes(reading) + detectionStepBytes + totalBytes(one.cost(crop));
    }),
  );
  // The second detection runs on a read for the result, so the detector's memory comes on top of that.
  const again = verify ? searches.filter(({ findAgain }) => findAgain) : [];
  const redetectors = [...(faces && verify ? [detection] : []), ...again].map((one) => one.cost(output));
  const redetectorBytes = Math.max(0, ...redetectors.map(totalBytes));

  const decoding = decoder.cost(facts, wantForResult);
  const knownOutputBytes = outputBytesOf(facts, ops, inputBytes, sizes);
  const chroma = chosenChroma(facts, ops.output, output.width / crop.width);
  const encoded = { ...output, opaque: decoder.reading.surelyOpaque?.(facts) ?? false, chroma };
  const encoding = encoder.cost(encoded, ops.output.quality, knownOutputBytes);
  // What encoding holds in addition to the output.
  const withoutOutput = encoder.cost(encoded, ops.output.quality, 0);
  const [encodingBytes, leastEncodingBytes] = [totalBytes(encoding), totalBytes(withoutOutput)];

  const readingBytes = totalBytes(decoding) + stepBytes;
  const most = Math.max(detectionBytes, readingBytes + Math.max(encodingBytes, redetectorBytes));
  const least = Math.max(detectionBytes, readingBytes + Math.max(leastEncodingBytes, redetectorBytes));
  const predictedBytes = inputBytes + most + OVERHEAD_BYTES;
  const reserveBytes = stepBytes + withoutOutput.inCores;
  return {
    ...sizes,
    bands,
    work,
    decoder,
    encoder,
    chroma,
    wantForDetection: { ...wantForDetection, reserveBytes },
    wantForResult: { ...wantForResult, reserveBytes },
    predictedBytes,
    maxOutputBytes: most - readingBytes - leastEncodingBytes,
    leastBytes: inputBytes + least + OVERHEAD_BYTES,
    isOutputGuessed: knownOutputBytes === undefined,
    outsideCores:
      decoding.elsewhere +
      Math.max(
        detector.elsewhere,
        encoding.elsewhere,
        ...redetectors.map(({ elsewhere }) => elsewhere),
        ...searches.map((one) => one.cost(crop).elsewhere),
      ) +
      OVERHEAD_BYTES,
    encodedOutside: encoding.elsewhere / encodingBytes,
  };
}

/** The predicted length of the output; undefined if the source does not tell it. */
function outputBytesOf(
  facts: FileFacts,
  ops: SanitizeOps,
  inputBytes: number,
  { crop, output }: JobSizes,
): number | undefined {
  if (output.width !== crop.width || output.height !== crop.height) return undefined;
  return encoders[ops.output.format].lengthOf?.({
    facts,
    bytes: inputBytes,
    lossless: decoders[facts.format].reading.lossless ?? false,
    pixels: output.width * output.height,
    sourcePixels: facts.width * facts.height,
    grey: ops.grayscale,
  });
}

/** How often the source is read for these ops, at most. */
function sourceReads(
  ops: SanitizeOps,
  { crop, output }: Pick<JobSizes, 'crop' | 'output'>,
  searches: readonly (SearchCost & { readonly findAgain?: unknown })[],
): SourceReads {
  const { faces, strength, verify, regions, except, fill } = ops.pixelate;
  const block = blockEdge(strength, output);
  // Blocks over a face may be coarser than the strength says; the second read that they need is not counted
  // here.
  const twice = hidesAnything(ops.pixelate) && readsTwice(output, block, MOSAIC_BYTES);
  const again = verify ? (faces ? 1 : 0) + searches.filter(({ findAgain }) => findAgain).length : 0;
  const result = (again + encoders[ops.output.format].reads) * (twice ? 2 : 1);
  // Runs of blocks over faces are counted while they are painted.
  const spans =
    blockRuns({ block, areas: regionAreas(regions, output) }, output.height) +
    runsOf(regionAreas(except, output), output.height);
  const solid = regions.filter((region) => (region.fill ?? fill) === 'solid');
  // Before a resize fills are painted, too, in each row by the two rows of the output that it has a part in.
  const beneath =
    crop.width > output.width
      ? runsOf(regionAreas(solid, output), output.height) * 2 * Math.ceil(crop.height / output.height)
      : 0;
  return { detection: (faces ? 2 : 0) + viewReads(searches), result, spans: spans + beneath };
}

const searchWork = (searches: readonly SearchCost[], size: Size): Work =>
  searches.reduce((sum, one) => sum + (one.work?.(size) ?? 0), 0);

const viewReads = (searches: readonly SearchCost[]): number =>
  searches.reduce((sum, { reads }) => sum + reads, 0);

/** How the source is read for a search. */
export const wantOf = (search: DetectionCost, facts: FileFacts, shown: Size, bands: BandBytes): Want => ({
  ...shrunkTo(facts, search.wantedWidth(shown) / shown.width),
  ...inColumns(facts, bands.detection),
});

/** How an image is read to detect faces in all of it, and the memory that this takes. */
export interface DetectPlan {
  readonly bands: BandBytes;
  readonly sizes: JobSizes;
  readonly want: Want;
  readonly predictedBytes: number;
  /** As `SanitizePlan` has it. */
  readonly work: Work;
  /** As `SanitizePlan` has it. */
  readonly outsideCores: number;
}

/** @throws Fault 'limit' for a job that reads too much */
export function planDetect(
  facts: FileFacts,
  inputBytes: number,
  detection: DetectionCost | undefined,
  searches: readonly SearchCost[] = [],
): DetectPlan {
  const reads = (detection ? 2 : 0) + viewReads(searches);
  const beside = searchWork(searches, jobSizes({ facts, ops: {} }).upright);
  const { work, ...bands } = affordableBands(facts, inputBytes, { detection: reads, result: 0, beside });
  const sizes = jobSizes({ facts, ops: {}, bandBytes: bands.detection });
  const { upright, detectionStepBytes } = sizes;
  const want: Want = {
    ...(detection && shrunkTo(facts, detection.wantedWidth(upright) / upright.width)),
    ...inColumns(facts, bands.detection),
  };
  const decoding = decoders[facts.format].cost(facts, want);
  const detector = detection?.cost(upright) ?? NO_MEMORY;
  const costs = searches.map((one) => one.cost(upright));
  const readings = searches.map((one) =>
    decoders[facts.format].cost(facts, wantOf(one, facts, upright, bands)),
  );
  const detectionBytes = Math.max(
    totalBytes(decoding) + totalBytes(detector),
    ...readings.map((reading, at) => totalBytes(reading) + totalBytes(costs[at]!)),
  );
  const predictedBytes = inputBytes + detectionBytes + detectionStepBytes + OVERHEAD_BYTES;
  return {
    bands,
    sizes,
    want,
    predictedBytes,
    work,
    outsideCores:
      decoding.elsewhere +
      Math.max(detector.elsewhere, ...costs.map(({ elsewhere }) => elsewhere)) +
      OVERHEAD_BYTES,
  };
}

/** The columns that bands of this many bytes read, if there are several bands. */
function inColumns({ width, height, orientation }: FileFacts, bandBytes: number): Want {
  if (!swapsSides(orientation) || bandBytes >= width * height * 4) return {};
  return { columnBands: columnBands(width, orientation, bandRows(height, width, bandBytes)) };
}

/** As `shrunkTo`, for the read whose picture is then resized. */
function shrunkForResizing(
  facts: FileFacts,
  ops: SanitizeOps,
  { output, crop }: JobSizes,
  keepsColours: boolean,
): Want {
  const { format, quality } = ops.output;
  const isLossy = !encoders[format].lossless && quality < FINE_QUALITY;
  const forResizing = isLossy && output.width < crop.width;
  const margin = forResizing ? LOSSY_SHRINK_MARGIN : SHRINK_MARGIN;
  const shrunk = shrunkTo(facts, (output.width * margin) / crop.width);
  if (!forResizing) return shrunk;
  return {
    ...shrunk,
    forResizing,
    ...(keepsColours && readsNoPixels(facts, ops) && { componentsOnly: true }),
  };
}

/** Whether a JPEG whose colours are kept is certain to be resized by its components alone. */
const readsNoPixels = ({ colour, orientation }: FileFacts, { pixelate, grayscale, output }: SanitizeOps) =>
  colour === 'ycbcr' &&
  orientation === 1 &&
  output.format === 'jpeg' &&
  !grayscale &&
  !hidesAnything(pixelate);

/** Full size, or shrunk by the decoder to no less than `scale` times the stored width. */
function shrunkTo({ width }: FileFacts, scale: number): Want {
  return scale >= 1 ? {} : { minWidth: Math.max(1, Math.ceil(width * scale)) };
}
