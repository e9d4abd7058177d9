import { decoders, encoders } from '../codecs/registry.ts';
import type { Decoder, Encoder, Size, Want } from '../codecs/types.ts';
import { totalBytes } from '../memory/memory_cost.ts';
import type { FileFacts } from '../metadata/facts.ts';
import type { SanitizeOps } from '../ops/schema.ts';
import type { ColourSource } from '../pixels/colour/source.ts';
import { blockEdge, readsTwice } from '../pixels/pixelate.ts';
import { bandBytes, type Readings, requireAffordable } from './cost_limit.ts';
import { hidesAnything, MOSAIC_BYTES } from './mosaic_plan.ts';
import { estimatePngBytes } from './png_size_estimate.ts';
import { type JobSizes, jobSizes } from './steps.ts';

/**
 * A source is read shrunk for a resize only down to this many times the target, so that Lanczos has detail to
 * work on.
 */
const SHRINK_MARGIN = 2;
/**
 * What a job holds beside the parts that tell their cost: request and response objects, strips in flight.
 */
const OVERHEAD_BYTES = 2 * 1024 * 1024;

/** What detection needs to say before anything is opened. */
export interface DetectionCost {
  cost(size: Size): number;
  wantedWidth(size: Size): number;
}

/** Everything that is known from the header and the ops alone. */
export interface SanitizePlan extends JobSizes {
  readonly decoder: Decoder;
  readonly encoder: Encoder;
  /** How the source is read for faces, and for the result. */
  readonly wantForFaces: Want;
  readonly wantForResult: Want;
  /** Bytes this job holds at its peak, its compressed input included. */
  readonly predictedBytes: number;
  /** The longest output that fits into these. */
  readonly maxOutputBytes: number;
  /** What the job would hold with next to no output. */
  readonly leastBytes: number;
  /**
   * The output's length is no more than a guess: nothing in the source tells it. Such a job may be tried where
   * only the guess does not fit, since an encoder stops at its limit; others are refused before decoding.
   */
  readonly isOutputGuessed: boolean;
  /** Of the predicted bytes, the most that is anywhere but in image cores at one time. */
  readonly outsideCores: number;
  /** How much of what encoding holds lies outside of image cores, 0 to 1. */
  readonly encodedOutside: number;
}

/**
 * Sizes, readings and predicted memory of a job; pure.
 * @param inputBytes length of the compressed image
 * @throws ParameterFault when the crop lies outside the image; Fault 'limit' for a job that reads too much
 */
export function planSanitize(
  facts: FileFacts,
  ops: SanitizeOps,
  inputBytes: number,
  detection: DetectionCost,
  { conversion }: Pick<ColourSource, 'conversion'> = {},
): SanitizePlan {
  const decoder = decoders[facts.format];
  const encoder = encoders[ops.output.format];
  const sizes = jobSizes({ facts, ops, conversion });
  const { upright, crop, output, stepBytes } = sizes;
  requireAffordable(facts, readingsOf(facts, ops, output));

  const { faces, verify } = ops.pixelate;
  const wantForFaces = shrunkTo(facts, detection.wantedWidth(crop) / crop.width);
  // A shrinking decoder mixes what lies on both sides of the crop's edge: only a whole picture is read
  // shrunk.
  const isWhole = crop.width === upright.width && crop.height === upright.height;
  const wantForResult: Want = {
    ...(isWhole && shrunkTo(facts, (output.width * SHRINK_MARGIN) / crop.width)),
    ...(conversion && { preferHighBitDepth: true }),
  };

  const looking = faces ? detection.cost(crop) : 0;
  const lookingBytes = faces
    ? totalBytes(decoder.cost(facts, wantForFaces)) + sizes.detectionStepBytes + looking
    : 0;
  // The second look keeps the detector while the source is read again.
  const verifying = faces && verify ? detection.cost(output) : 0;

  const decoding = decoder.cost(facts, wantForResult);
  const knownOutputBytes = outputBytesOf(facts, ops, inputBytes, sizes);
  const encoding = encoder.cost(output, ops.output.quality, knownOutputBytes);
  // What encoding holds beside the output; only where the encoder can tell them apart.
  const withoutOutput = encoder.cost(output, ops.output.quality, 0);
  const [encodingBytes, leastEncodingBytes] = [totalBytes(encoding), totalBytes(withoutOutput)];
  const beside = leastEncodingBytes < encodingBytes ? leastEncodingBytes : 0;

  const readingBytes = totalBytes(decoding) + stepBytes;
  const most = Math.max(lookingBytes, readingBytes + Math.max(encodingBytes, verifying));
  const least = Math.max(lookingBytes, readingBytes + Math.max(leastEncodingBytes, verifying));
  const elsewhere = decoding.elsewhere + Math.max(looking, encoding.elsewhere, verifying);
  const predictedBytes = inputBytes + most + OVERHEAD_BYTES;
  const reserveBytes = stepBytes + withoutOutput.inCores;
  return {
    ...sizes,
    decoder,
    encoder,
    wantForFaces: { ...wantForFaces, reserveBytes },
    wantForResult: { ...wantForResult, reserveBytes },
    predictedBytes,
    maxOutputBytes: most - readingBytes - beside,
    leastBytes: inputBytes + least + OVERHEAD_BYTES,
    isOutputGuessed: knownOutputBytes === undefined,
    outsideCores: Math.min(predictedBytes, inputBytes + elsewhere + OVERHEAD_BYTES),
    encodedOutside: encoding.elsewhere / encodingBytes,
  };
}

/** How long a lossless output of the source's own pixels will be, where its file tells. */
function outputBytesOf(
  facts: FileFacts,
  ops: SanitizeOps,
  inputBytes: number,
  { crop, output }: JobSizes,
): number | undefined {
  const isSameSize = output.width === crop.width && output.height === crop.height;
  if (!isSameSize || !encoders[ops.output.format].lossless) return undefined;
  const pixels = output.width * output.height;
  return estimatePngBytes(facts, inputBytes, {
    pixels,
    of: facts.width * facts.height,
    grey: ops.grayscale,
  });
}

/** How often the source is read for these ops, at most. */
function readingsOf(facts: FileFacts, ops: SanitizeOps, output: Size): Readings {
  const { faces, strength, verify } = ops.pixelate;
  const block = blockEdge(strength, output);
  // A face may ask for coarser blocks than the strength; their reading comes on top of this estimate.
  const twice = hidesAnything(ops.pixelate) && readsTwice(output, block, MOSAIC_BYTES);
  // A PNG is begun again where it turns out late that a palette cannot hold its colours, and where alpha
  // comes later still.
  const results = ((faces && verify ? 2 : 1) + (ops.output.format === 'png' ? 2 : 0)) * (twice ? 2 : 1);
  return { looks: faces ? 2 : 0, results, bands: bandsOf(facts) };
}

function bandsOf({ orientation, width, height, format }: FileFacts): number {
  return orientation > 2 ? Math.max(1, Math.ceil((width * height * 4) / bandBytes(format))) : 1;
}

/** How an image is read to look for faces in all of it, and what that holds. */
export interface DetectPlan {
  readonly sizes: JobSizes;
  readonly want: Want;
  readonly predictedBytes: number;
}

/** @throws Fault 'limit' for a job that reads too much */
export function planDetect(facts: FileFacts, inputBytes: number, detection: DetectionCost): DetectPlan {
  requireAffordable(facts, { looks: 2, results: 0, bands: bandsOf(facts) });
  const sizes = jobSizes({ facts, ops: {} });
  const { upright, detectionStepBytes } = sizes;
  const want = shrunkTo(facts, detection.wantedWidth(upright) / upright.width);
  const decodingBytes = totalBytes(decoders[facts.format].cost(facts, want));
  const looking = decodingBytes + detectionStepBytes + detection.cost(upright);
  return { sizes, want, predictedBytes: inputBytes + looking + OVERHEAD_BYTES };
}

/** Full size, or shrunk by the decoder to no less than `scale` of the stored width. */
function shrunkTo({ width }: FileFacts, scale: number): Want {
  return scale >= 1 ? {} : { minWidth: Math.max(1, Math.ceil(width * scale)) };
}
