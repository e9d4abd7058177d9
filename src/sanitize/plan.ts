import { decoders, encoders } from '../codecs/registry.ts';
import type { Decoder, Encoder, Size, Want } from '../codecs/types.ts';
import { ParameterFault } from '../faults.ts';
import type { FileFacts, InputFormat } from '../metadata/facts.ts';
import type { SanitizeOps } from '../ops/schema.ts';
import type { ColourSource } from '../pixels/colour/source.ts';
import { uprightSize } from '../pixels/orient.ts';
import { blockEdge, pixelateCost, readsTwice } from '../pixels/pixelate.ts';
import { type Rect, touchedPixels } from '../pixels/rect.ts';
import { shrinkCost, sizeUnder } from '../pixels/resize.ts';
import { colourCost } from '../pixels/to_srgb.ts';
import { bandBytes, type Readings, requireAffordable } from './cost_limit.ts';
import { coarsestBlock } from './mosaic_plan.ts';
import { estimatePngBytes } from './png_size_estimate.ts';

/** Rows held while blocks wait for their last row; coarser mosaics read the source twice instead. */
export const MOSAIC_BYTES = 8 * 1024 * 1024;
/**
 * A source is read shrunk for a resize only down to this many times the target, so that Lanczos has detail to
 * work on.
 */
const SHRINK_MARGIN = 2;
/** What a job holds beside the parts that tell their cost: request and response objects, strips in flight. */
const OVERHEAD_BYTES = 2 * 1024 * 1024;

/**
 * How much of a codec's memory, at most, is neither a core's nor a heap that goes from job to job; whole
 * frames are.
 */
const OUTSIDE_SHARE: Readonly<Record<InputFormat, number>> = {
  jpeg: 0,
  png: 0,
  webp: 0.5,
  avif: 0.5,
  gif: 1,
  tiff: 1,
};

/** What detection needs to say before anything is opened. */
export interface DetectionCost {
  cost(size: Size): number;
  wantedWidth(size: Size): number;
}

/** Everything that is known from the header and the ops alone. */
export interface SanitizePlan {
  readonly decoder: Decoder;
  readonly encoder: Encoder;
  readonly upright: Size;
  /** In upright source pixels; the whole image when no crop was asked for. */
  readonly crop: Rect;
  readonly output: Size;
  /** How the source is read for faces, and for the result. */
  readonly wantForFaces: Want;
  readonly wantForResult: Want;
  /** Bytes this job holds at its peak, its compressed input included. */
  readonly predictedBytes: number;
  /** The longest output that fits into these. */
  readonly outputRoom: number;
  /**
   * What the job would hold with next to no output. An output's length is only guessed, and an encoder stops
   * where there is no room: so a job of which only the guess does not fit may still be tried.
   */
  readonly leastBytes: number;
  /** Of these, the most that is anywhere but in image cores at one time. */
  readonly outsideCores: number;
  /** How much of what encoding holds lies outside of image cores, 0 to 1. */
  readonly encodedOutside: number;
}

/**
 * Sizes, readings and predicted memory of a job; pure.
 * @param inputBytes length of the compressed image
 * @throws ParameterFault when the crop lies outside the image
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
  const upright = uprightSize(facts.width, facts.height, facts.orientation);
  const crop = ops.crop ? cropArea(ops.crop, upright) : { x: 0, y: 0, ...upright };
  const output = sizeUnder(ops.output.maxWidth, crop);
  const wantForFaces = wantScaled(facts, detection.wantedWidth(crop) / crop.width);
  // A shrinking decoder mixes what lies on both sides of the crop's edge: only a whole picture is read
  // shrunk.
  const whole = crop.width === upright.width && crop.height === upright.height;
  const wantForResult = {
    ...(whole && wantScaled(facts, (output.width * SHRINK_MARGIN) / crop.width)),
    ...(conversion && { preferHighBitDepth: true }),
  };

  requireAffordable(facts, readingsOf(facts, ops, output));
  const turning = turnCost(facts);
  const looking = ops.pixelate.faces ? decoder.cost(facts, wantForFaces) + turning + detection.cost(crop) : 0;
  const hides = ops.pixelate.faces || ops.pixelate.regions.length > 0;
  const finest = blockEdge(ops.pixelate.strength, output);
  const blocks = { finest, coarsest: ops.pixelate.faces ? coarsestBlock(ops.pixelate, output) : finest };
  const pixelating = hides ? pixelateCost(output, blocks, MOSAIC_BYTES) : 0;
  // The second look keeps the detector while the source is read again.
  const verifying = ops.pixelate.faces && ops.pixelate.verify ? detection.cost(output) : 0;
  const sameSize = output.width === crop.width && output.height === crop.height;
  const shown = {
    pixels: output.width * output.height,
    of: facts.width * facts.height,
    grey: ops.grayscale,
  };
  const outputBytes = sameSize && encoder.lossless ? estimatePngBytes(facts, inputBytes, shown) : undefined;
  const encoding = encoder.cost(output, ops.output.quality, outputBytes);
  // Colour, turns, shrinking and what waits to be pixelated are in cores, too.
  const decoding = decoder.cost(facts, wantForResult);
  const decodingOutside = decoding * OUTSIDE_SHARE[facts.format];
  const encodedOutside = OUTSIDE_SHARE[ops.output.format];
  const encodingOutside = encoding * encodedOutside;
  const lookingOutside = ops.pixelate.faces ? detection.cost(crop) : 0;
  const makingOutside = Math.max(encodingOutside, verifying);
  const outside = decodingOutside + Math.max(lookingOutside, makingOutside);
  const steps =
    (conversion ? colourCost(conversion, facts, facts.bitDepth > 8) : 0) +
    turning +
    shrinkCost(crop, output) +
    pixelating;
  const reading = decoding + steps;
  const most = Math.max(looking, reading + Math.max(encoding, verifying));
  const predictedBytes = inputBytes + most + OVERHEAD_BYTES;
  // What encoding holds beside the output; only where the encoder can tell them apart.
  const withoutOutput = encoder.cost(output, ops.output.quality, 0);
  const beside = withoutOutput < encoding ? withoutOutput : 0;
  const room = steps + withoutOutput * (1 - encodedOutside);
  return {
    decoder,
    encoder,
    upright,
    crop,
    output,
    wantForFaces: { ...wantForFaces, room },
    wantForResult: { ...wantForResult, room },
    predictedBytes,
    outputRoom: most - reading - beside,
    leastBytes: inputBytes + Math.max(looking, reading + Math.max(withoutOutput, verifying)) + OVERHEAD_BYTES,
    outsideCores: Math.min(predictedBytes, inputBytes + outside + OVERHEAD_BYTES),
    encodedOutside,
  };
}

/** How often the source is read for these ops, at most. */
function readingsOf(facts: FileFacts, ops: SanitizeOps, output: Size): Readings {
  const { faces, regions, strength, verify } = ops.pixelate;
  const block = blockEdge(strength, output);
  // A face may ask for coarser blocks than the strength; their reading comes on top of this estimate.
  const twice = (faces || regions.length > 0) && readsTwice(output, block, MOSAIC_BYTES);
  // A PNG is begun again where it turns out late that a palette cannot hold its colours, and where alpha
  // comes later still.
  const results = ((faces && verify ? 2 : 1) + (ops.output.format === 'png' ? 2 : 0)) * (twice ? 2 : 1);
  return { looks: faces ? 2 : 0, results, bands: bandsOf(facts) };
}

function bandsOf({ orientation, width, height, format }: FileFacts): number {
  return orientation > 2 ? Math.max(1, Math.ceil((width * height * 4) / bandBytes(format))) : 1;
}

/** How the image is read to look for faces in all of it, and what that holds. */
export function planDetect(
  facts: FileFacts,
  inputBytes: number,
  detection: DetectionCost,
): { want: Want; predictedBytes: number } {
  const upright = uprightSize(facts.width, facts.height, facts.orientation);
  requireAffordable(facts, { looks: 2, results: 0, bands: bandsOf(facts) });
  const want = wantScaled(facts, detection.wantedWidth(upright) / upright.width);
  const looking = decoders[facts.format].cost(facts, want) + turnCost(facts) + detection.cost(upright);
  return { want, predictedBytes: inputBytes + looking + OVERHEAD_BYTES };
}

/** The band that turning holds; a mirrored image is turned strip by strip. */
function turnCost({ orientation, width, height, format }: FileFacts): number {
  return orientation > 2 ? Math.min(bandBytes(format), width * height * 4) : 0;
}

/** The crop in whole pixels inside the upright image. */
function cropArea(crop: NonNullable<SanitizeOps['crop']>, upright: Size): Rect {
  const area = touchedPixels(crop, upright);
  if (area) return area;
  throw new ParameterFault(
    'crop',
    `Expected a rectangle that overlaps the upright image of ${upright.width} × ${upright.height} pixels but received x ${crop.x}, y ${crop.y}, width ${crop.width}, height ${crop.height}`,
  );
}

/** Full size, or shrunk by the decoder to no less than `scale` of the stored width. */
function wantScaled({ width }: FileFacts, scale: number): Want {
  return scale >= 1 ? {} : { minWidth: Math.max(1, Math.ceil(width * scale)) };
}
