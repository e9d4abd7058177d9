import type { Encoded, Raster } from '../codecs/types.ts';
import type { FaceDetector } from '../faces/detector.ts';
import { OutputRoomFault } from '../faults.ts';
import { type MemoryBudget, memoryBusyFault, type Reservation } from '../memory/budget.ts';
import { detachedCopy, releaseBytes, retainedBytes } from '../memory/owned_bytes.ts';
import { ROOM_TO_DECODE } from '../memory/upload_buffer.ts';
import type { FileFacts } from '../metadata/facts.ts';
import { blockNames } from '../metadata/scan.ts';
import type { SanitizeOps } from '../ops/schema.ts';
import { clearTransparent } from '../pixels/clear_transparent.ts';
import { type ColourSource, colourOf, unconverted } from '../pixels/colour/source.ts';
import { grayscale } from '../pixels/grayscale.ts';
import type { Mosaic } from '../pixels/mosaic.ts';
import { pixelate } from '../pixels/pixelate.ts';
import { shrink } from '../pixels/resize.ts';
import { type FaceBox, firstMosaics, regionAreas, secondMosaics } from './mosaic_plan.ts';
import { MOSAIC_BYTES, planSanitize, type SanitizePlan } from './plan.ts';
import { readFacts, requireDecodable } from './read_header.ts';
import { openReading } from './reading.ts';
import { colourReport, NO_FACES_WARNING, type PurgeReport } from './report.ts';
import { assertClean } from './verify_output.ts';

/** What a job runs on; one each an isolate. */
export interface Runtime {
  readonly budget: MemoryBudget;
  readonly detector: FaceDetector;
}

export interface Sanitized {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mediaType: string;
  readonly extension: string;
  readonly report: PurgeReport;
}

/**
 * What was made, where it was made: its memory is reserved until it is disposed of, and its bytes are gone
 * then.
 */
export interface SanitizedInPlace extends Sanitized, Disposable {}

/** Faces found by the first look, in output pixels. */
interface FirstLook {
  readonly faces: readonly FaceBox[];
  readonly belowConfidence: number;
}

/**
 * The main job. The order is the specification's: auto-rotate, crop, grayscale, resize, pixelate, re-encode;
 * then proof. Colours become sRGB before all of these.
 * @param bytes the compressed image; not changed, but given back where it lies in the image core
 * @param signal aborted when the client goes away
 * @param memory what is reserved for `bytes` already; it goes over to the job
 * @throws Fault, see faults.ts; 'unclean' when the output would carry metadata
 */
export async function sanitize(
  bytes: Uint8Array,
  ops: SanitizeOps,
  runtime: Runtime,
  signal?: AbortSignal,
  memory?: Reservation,
): Promise<Sanitized> {
  using held = await sanitizeInPlace(bytes, ops, runtime, signal, memory);
  const { mediaType, extension, report } = held;
  return { bytes: detachedCopy(held.bytes), mediaType, extension, report };
}

/**
 * As `sanitize`, without a copy of the output: for who reads it once, straight away, and then disposes of it.
 */
export async function sanitizeInPlace(
  bytes: Uint8Array,
  ops: SanitizeOps,
  runtime: Runtime,
  signal?: AbortSignal,
  memory?: Reservation,
): Promise<SanitizedInPlace> {
  const facts = readFacts(bytes);
  requireDecodable(facts);
  const source = colourOf(facts, bytes);
  // A file whose length was only guessed keeps more than its bytes.
  const inputBytes = Math.max(bytes.length, (memory?.bytes ?? 0) - ROOM_TO_DECODE);
  const plan = planSanitize(facts, ops, inputBytes, runtime.detector, source);
  const { budget } = runtime;
  const { predictedBytes, leastBytes, outsideCores } = plan;
  // Where only the guess of the output's length does not fit, the job gets all there is, and the encoder
  // keeps to it.
  const bytesHeld =
    leastBytes <= budget.capacity ? Math.min(predictedBytes, budget.capacity) : predictedBytes;
  const held = Math.min(outsideCores, bytesHeld);
  const what = describe(facts);
  const reservation = await (memory?.growTo(bytesHeld, what, signal, held) ??
    budget.reserve(bytesHeld, what, signal, held));
  try {
    const made = await sanitizeAsPlanned(bytes, facts, source, ops, plan, runtime, reservation, signal);
    return kept(made, reservation);
  } catch (error) {
    reservation[Symbol.dispose]();
    throw error;
  }
}

/** Only the output is left of the job: that much stays reserved. */
function kept(made: Sanitized, reservation: Reservation): SanitizedInPlace {
  const { total, outsideCores } = retainedBytes(made.bytes);
  reservation.shrinkTo(total, outsideCores);
  return {
    ...made,
    [Symbol.dispose]() {
      releaseBytes(made.bytes);
      reservation[Symbol.dispose]();
    },
  };
}

async function sanitizeAsPlanned(
  bytes: Uint8Array,
  facts: FileFacts,
  source: ColourSource,
  ops: SanitizeOps,
  plan: SanitizePlan,
  runtime: Runtime,
  reservation: Reservation,
  signal: AbortSignal | undefined,
): Promise<Sanitized> {
  const seen = ops.pixelate.faces ? await lookForFaces(bytes, facts, ops, plan, runtime.detector) : null;
  signal?.throwIfAborted();
  const regions = regionAreas(ops.pixelate.regions, plan.output);
  const first = firstMosaics(ops.pixelate, regions, seen?.faces ?? [], plan.output);

  const { decoder, wantForResult, crop } = plan;
  using reading = await openReading(decoder, bytes, facts, wantForResult, crop, source.conversion);
  const colour = reading.converted ? source : unconverted(source);
  const prepared = preparedRaster(reading.raster, ops, plan);
  const second = seen ? await lookAgain(prepared, first, ops, plan, runtime.detector) : [];
  signal?.throwIfAborted();
  const hidden = pixelate(
    prepared,
    [...first, ...secondMosaics(ops.pixelate, second, plan.output)],
    MOSAIC_BYTES,
  );
  const encoded = await encodedWithin(runtime.budget, reservation, clearTransparent(hidden), ops, plan);
  reading[Symbol.dispose]();
  releaseBytes(bytes);
  const output = encoded.bytes;

  const proof = assertClean(output);
  return {
    bytes: output,
    mediaType: plan.encoder.mediaType,
    extension: plan.encoder.extension,
    report: {
      width: plan.output.width,
      height: plan.output.height,
      bytes: output.length,
      facesDetected: seen?.faces.length ?? 0,
      facesBelowConfidence: seen?.belowConfidence ?? 0,
      facesOnSecondLook: second.length,
      regionsPixelated: regions.length,
      grayscale: ops.grayscale,
      colour: colourReport(colour),
      metadataStripped: proof.blocks.length === 0,
      verified: { blocks: blockNames(proof), scannedBytes: output.length },
      sourceMetadataFound: blockNames(facts),
      warnings: [
        ...(seen && seen.faces.length === 0 ? [NO_FACES_WARNING] : []),
        ...(colour.note ? [colour.note] : []),
      ],
    },
  };
}

/**
 * The file. An output's length is only predicted: one that turns out longer takes what nobody else holds.
 * @throws OverloadedFault where there would be enough if others held nothing
 */
async function encodedWithin(
  budget: MemoryBudget,
  reservation: Reservation,
  hidden: Raster,
  ops: SanitizeOps,
  { encoder, predictedBytes, outputRoom, encodedOutside }: SanitizePlan,
): Promise<Encoded> {
  const room = () => reservation.bytes - predictedBytes + outputRoom;
  const moreRoom = () => {
    reservation.takeFree(encodedOutside);
    return room();
  };
  try {
    return await encoder.encode(hidden, ops.output.quality, room(), moreRoom);
  } catch (error) {
    const isAlone = reservation.bytes === budget.capacity;
    throw error instanceof OutputRoomFault && !isAlone ? memoryBusyFault() : error;
  }
}

/** Grayscale, then resize: what comes between crop and pixelate. */
function preparedRaster(cropped: Raster, ops: SanitizeOps, { output }: SanitizePlan): Raster {
  return shrink(ops.grayscale ? grayscale(cropped) : cropped, output);
}

/** Detection on the cropped image, read as small as serves; boxes in output pixels. */
async function lookForFaces(
  bytes: Uint8Array,
  facts: FileFacts,
  ops: SanitizeOps,
  plan: SanitizePlan,
  detector: FaceDetector,
): Promise<FirstLook> {
  using reading = await openReading(plan.decoder, bytes, facts, plan.wantForFaces, plan.crop);
  const { confidence } = ops.pixelate;
  const { faces, belowConfidence } = await detector.detect(reading.raster, { confidence, look: 'thorough' });
  const across = plan.output.width / plan.crop.width;
  const down = plan.output.height / plan.crop.height;
  const inOutput = faces.map((face) => {
    const { x, y, w, h } = reading.toCropped(face);
    return { x: x * across, y: y * down, w: w * across, h: h * down };
  });
  return { faces: inOutput, belowConfidence };
}

/** The second look: faces still found on the pixelated picture. Nothing to do where nothing was pixelated. */
async function lookAgain(
  prepared: Raster,
  mosaics: readonly Mosaic[],
  ops: SanitizeOps,
  plan: SanitizePlan,
  detector: FaceDetector,
): Promise<FaceBox[]> {
  if (!ops.pixelate.verify || mosaics.every(({ areas }) => areas.length === 0)) return [];
  const { confidence } = ops.pixelate;
  const { faces } = await detector.detect(pixelate(prepared, mosaics, MOSAIC_BYTES), {
    confidence,
    look: 'coarse',
  });
  return faces.filter(
    ({ x, y, w, h }) => x < plan.output.width && y < plan.output.height && x + w > 0 && y + h > 0,
  );
}

const describe = ({ format, width, height }: FileFacts) =>
  `a ${((width * height) / 1e6).toFixed(1)} megapixel ${format.toUpperCase()}`;
