import type { Raster } from '../codecs/types.ts';
import { type ScoredBox, scaleBox } from '../faces/boxes.ts';
import type { FaceDetector } from '../faces/detector.ts';
import { imageName, OutputLimitFault } from '../faults.ts';
import type { MemoryBudget } from '../memory/budget.ts';
import { bytesOf, bytesOutsideCores, type ImageFile, type OwnedBytes } from '../memory/image_file.ts';
import { detachedCopy, disposeOf } from '../memory/owned_bytes.ts';
import type { Reservation } from '../memory/reservation.ts';
import { memoryBusyFault } from '../memory/shared_memory.ts';
import { ROOM_TO_DECODE } from '../memory/upload_buffer.ts';
import { blockNames } from '../metadata/block_names.ts';
import type { FileFacts } from '../metadata/facts.ts';
import type { SanitizeOps } from '../ops/schema.ts';
import { colourSourceOf } from '../pixels/colour/source.ts';
import { type ColourSource, unconverted } from '../pixels/colour/stated.ts';
import { rectsInside } from '../pixels/ellipse.ts';
import { NOTHING_HIDDEN } from '../pixels/hide.ts';
import { noticeTransparent } from '../pixels/notice_transparent.ts';
import { JOB_TIME, type JobTime, type TimeSlice } from '../time_slice.ts';
import { rowsWork } from '../work.ts';
import { belowConfidence } from './below_confidence.ts';
import { findFaces, redetectFaces } from './find_faces.ts';
import {
  detectorSearches,
  type FoundThing,
  findThings,
  readableSearch,
  type ThingSearch,
} from './find_things.ts';
import {
  facesUnturned,
  joined,
  thingsUnturned,
  type UnturnedSearch,
  unturnedSearch,
  withUnturned,
} from './find_unturned.ts';
import { fineBlocks } from './fine_blocks.ts';
import { legibleRegions, rereadThings, thingsReport, withoutThings, withThings } from './found_things.ts';
import { fillColour, hiddenAreas, isSpared } from './hidden_areas.ts';
import type { FaceBox } from './mosaic_plan.ts';
import { openImage } from './open_image.ts';
import { announcedTime, COPYING, encodingTime, isSteady } from './pixel_time.ts';
import { planSanitize, type SanitizePlan } from './plan.ts';
import { measured, type OnProgress } from './progress.ts';
import { namedFault, readFactsInTurns, requireDecodable } from './read_header.ts';
import { colourReport, hidingReport, type JobReport, warningsOf } from './report.ts';
import { type Runtime, timeOf } from './runtime.ts';
import { applySteps, beforePixelate, fromPixelate } from './steps.ts';
import { turnedFacts } from './turned_facts.ts';
import { assertClean } from './verify_output.ts';

/** What is known of a sanitized image beside its bytes. */
interface SanitizedImage {
  readonly mediaType: string;
  /** File name extension, without the dot. */
  readonly extension: string;
  readonly report: JobReport;
}

export interface Sanitized extends SanitizedImage {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A result in the memory it was written to, which stays reserved until the result is disposed of. */
export interface SanitizedInPlace extends SanitizedImage, Disposable {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What is reserved for the bytes: told when and how fast they are sent. */
  readonly memory: Pick<Reservation, 'startSending' | 'moved' | 'requirePace'>;
}

/**
 * The main job: what the specification asks for, in the order of `steps` (steps.ts), then a check of the
 * output.
 * @param file the compressed image; not changed, but disposed of
 * @param signal aborted when the client goes away
 * @param memory what is already reserved for the file; the job takes it over
 * @throws Fault, see faults.ts; 'unclean' when the output would carry metadata
 */
export async function sanitize(
  file: ImageFile,
  ops: SanitizeOps,
  runtime: Runtime,
  signal?: AbortSignal,
  memory?: Reservation,
): Promise<Sanitized> {
  const { image, output, reservation, time } = await reserveAndRun(file, ops, runtime, signal, memory);
  using _reservation = reservation;
  using _output = output;
  return { ...image, bytes: await detachedCopy(output, (bytes) => time.spend(bytes * COPYING)) };
}

/** As `sanitize`, without copying the output: for a caller that reads it once and disposes of it. */
export async function sanitizeInPlace(
  file: ImageFile,
  ops: SanitizeOps,
  runtime: Runtime,
  signal?: AbortSignal,
  memory?: Reservation,
): Promise<SanitizedInPlace> {
  const { image, output, reservation } = await reserveAndRun(file, ops, runtime, signal, memory);
  // Only the output remains of the job: that much stays reserved.
  reservation.shrinkTo(output.retainedBytes, output.outsideCores);
  return {
    ...image,
    get bytes() {
      return output.bytes;
    },
    memory: reservation,
    [Symbol.dispose]() {
      output[Symbol.dispose]();
      reservation[Symbol.dispose]();
    },
  };
}

/** A finished job: its output and the memory reserved for it now belong to the caller. */
interface FinishedJob {
  readonly image: SanitizedImage;
  readonly output: OwnedBytes;
  readonly reservation: Reservation;
  readonly time: JobTime;
}

async function reserveAndRun(
  file: ImageFile,
  ops: SanitizeOps,
  runtime: Runtime,
  signal: AbortSignal | undefined,
  memory: Reservation | undefined,
): Promise<FinishedJob> {
  const { budget, detector } = runtime;
  const { plates, text, detectors } = ops.pixelate;
  const searches = [
    ...readableSearch({ plate: plates, text }, runtime, 'pixelate'),
    ...detectorSearches(detectors, runtime, 'pixelate.detectors'),
  ];
  const time = timeOf(runtime, signal);
  await time.spend(JOB_TIME);
  const bytes = bytesOf(file);
  const stored = await readFactsInTurns(bytes, time);
  requireDecodable(stored);
  const facts = turnedFacts(stored, ops.rotate);
  const source = colourSourceOf(facts, bytes);
  // A file that came without a declared length has more reserved than it takes.
  const inputBytes = Math.max(bytes.length, (memory?.bytes ?? 0) - ROOM_TO_DECODE);
  const unturned = unturnedSearch(stored, ops, inputBytes, detector, searches);
  const beside = unturned?.plan.work;
  const turned = planSanitize(facts, ops, inputBytes, detector, source, searches, beside);
  const plan = withUnturned(turned, unturned);
  time.announce(announcedTime(plan.work, { facts, bytes: bytes.length }));
  const reservation = await reserveFor(plan, file, facts, budget, signal, memory);
  try {
    const { onProgress } = runtime;
    const job = { file, facts, source, ops, plan, unturned, detector, searches, signal, time, onProgress };
    const work = rowsWork(plan.output.height, plan.output.width);
    const encode = (raster: Raster, slice: TimeSlice) => {
      const counted = onProgress ? measured(slice, 'encoding', work, onProgress) : slice;
      return encodeWithin(budget, reservation, raster, ops, plan, counted);
    };
    return { ...(await runJob(job, encode)), reservation, time };
  } catch (error) {
    reservation[Symbol.dispose]();
    throw namedFault(error, facts);
  }
}

/** Where only a guess of the output's length does not fit, the job gets all there is. */
function reserveFor(
  { predictedBytes, leastBytes, isOutputGuessed, outsideCores, encoder }: SanitizePlan,
  file: ImageFile,
  facts: FileFacts,
  budget: MemoryBudget,
  signal: AbortSignal | undefined,
  memory: Reservation | undefined,
): Promise<Reservation> {
  const mayBeTried = isOutputGuessed && leastBytes <= budget.capacity;
  const bytes = mayBeTried ? Math.min(predictedBytes, budget.capacity) : predictedBytes;
  const outside = Math.min(outsideCores + bytesOutsideCores(file), bytes);
  const what = `a ${imageName(facts)} to ${encoder.format.toUpperCase()}`;
  return budget.reserve(bytes, what, signal, outside, memory);
}

interface PlannedJob {
  readonly file: ImageFile;
  readonly facts: FileFacts;
  readonly source: ColourSource;
  readonly ops: SanitizeOps;
  readonly plan: SanitizePlan;
  readonly unturned: UnturnedSearch | undefined;
  readonly detector: FaceDetector;
  readonly searches: readonly ThingSearch[];
  readonly signal: AbortSignal | undefined;
  readonly time: JobTime;
  readonly onProgress: OnProgress | undefined;
}

async function runJob(
  job: PlannedJob,
  encode: (raster: Raster, slice: TimeSlice) => Promise<OwnedBytes>,
): Promise<Pick<FinishedJob, 'image' | 'output'>> {
  const { file, facts, source, ops, plan, detector, searches, signal, time, onProgress } = job;
  if (ops.pixelate.faces) onProgress?.('detecting', 0);
  const detected = ops.pixelate.faces ? await detectFaces(job) : null;
  signal?.throwIfAborted();
  const things = searches.length > 0 ? await detectThings(job) : [];
  const hiding = (foundAgain: readonly FaceBox[]) =>
    hiddenAreas(
      withThings(ops.pixelate, things, plan.output),
      fillColour(ops),
      detected?.faces ?? [],
      foundAgain,
      plan.output,
    );

  using image = await openImage(file, facts, plan.wantForResult, time);
  const { factor } = image;
  const { conversion } = source;
  const scale = (plan.output.width * factor) / plan.crop.width;
  const pixelTime = encodingTime({ facts, bytes: bytesOf(file).length }, ops.output.format, {
    factor,
    isConverted: conversion !== undefined,
    kept: plan.output.width < plan.crop.width ? scale ** 2 : 1,
  });
  time.announce(rowsWork(image.raster.height, image.raster.width) * pixelTime);
  const slice = time.perPixel(pixelTime, isSteady(facts, conversion?.kind === 'table'));
  const input = { facts, ops, conversion, bandBytes: plan.bands.result, factor, sizes: plan };
  // Opening a profile's tables takes longer than a slice.
  if (conversion?.kind === 'table') await slice.end();
  const prepared = await applySteps(image.raster, { ...input, hidden: NOTHING_HIDDEN }, beforePixelate);
  const stillFound = detected
    ? await redetectFaces(prepared.raster, hiding([]).hidden, ops.pixelate, detector, slice)
    : [];
  const redetected = stillFound.filter((face) => !isSpared(ops.pixelate, face));
  things.push(...(await rereadThings(prepared.raster, hiding(redetected), job, slice)));
  signal?.throwIfAborted();
  if (detected) onProgress?.('detecting', 1);
  onProgress?.('encoding', 0);
  const { hidden, areas, ...counts } = hiding(redetected);
  const pixelated = await applySteps(prepared.raster, { ...input, hidden }, fromPixelate);
  const seen = plan.encoder.format === 'jpeg' ? noticeTransparent(pixelated.raster) : undefined;
  const output = await encode(seen?.raster ?? pixelated.raster, slice);
  onProgress?.('encoding', 1);
  image[Symbol.dispose]();
  disposeOf(file);

  const verified = await assertClean(output, time);
  const listed = belowConfidence(
    (detected?.belowConfidence ?? []).filter((spot) => !isSpared(ops.pixelate, spot)),
    areas.flatMap(rectsInside).map(({ x, y, width, height }) => ({ x, y, w: width, h: height })),
    plan.output,
    ops.pixelate,
  );
  const colour = prepared.applied.has('toSrgb') ? source : unconverted(source);
  return {
    output,
    image: {
      mediaType: plan.encoder.mediaType,
      extension: plan.encoder.extension,
      report: {
        width: plan.output.width,
        height: plan.output.height,
        bytes: output.bytes.length,
        facesDetected: detected?.faces.length ?? 0,
        facesBelowConfidence: listed.length,
        belowConfidence: listed,
        facesOnSecondLook: redetected.length,
        ...hidingReport(ops.pixelate, withoutThings(counts, things, plan.output), redetected, plan.output),
        ...thingsReport(ops.pixelate, things, plan.output),
        grayscale: ops.grayscale,
        colour: colourReport(colour),
        metadataStripped: verified.blocks.length === 0,
        verified: { blocks: blockNames(verified), scannedBytes: output.bytes.length },
        sourceMetadataFound: blockNames(facts),
        ...warningsOf(
          detected !== null && detected.faces.length === 0,
          colour,
          { facts, isFlattened: seen?.isTransparent === true },
          fineBlocks(legibleRegions(counts, things, plan.output), ops.pixelate.strength, plan.output),
        ),
      },
    },
  };
}

/** What is found beside faces and ops do not spare; boxes in output pixels. */
async function detectThings(job: PlannedJob): Promise<FoundThing[]> {
  const { file, facts, ops, plan, unturned, searches, time, signal } = job;
  const read = { facts, ops, bandBytes: plan.bands.detection };
  const inTurned = await findThings(file, read, plan, plan.bands, searches, time, signal);
  const others = unturned ? await thingsUnturned(unturned, { ...job, crop: plan.crop }, searches) : [];
  const found = joined(inTurned, others);
  const across = plan.output.width / plan.crop.width;
  const down = plan.output.height / plan.crop.height;
  return found
    .map((thing) => scaleBox(thing, across, down))
    .filter((thing) => !isSpared(ops.pixelate, thing));
}

/** Detects faces in the cropped image; boxes in output pixels. */
async function detectFaces(job: PlannedJob): Promise<{
  readonly faces: readonly ScoredBox[];
  readonly belowConfidence: readonly ScoredBox[];
}> {
  const { file, facts, ops, plan, unturned, detector, time, onProgress } = job;
  const { confidence } = ops.pixelate;
  const bandBytes = plan.bands.detection;
  const want = plan.wantForDetection;
  const source = await findFaces({
    file,
    facts,
    ops,
    bandBytes,
    sizes: plan,
    want,
    confidence,
    detector,
    time,
    onProgress,
  });
  const across = plan.output.width / plan.crop.width;
  const down = plan.output.height / plan.crop.height;
  const inOutput = (box: ScoredBox) => scaleBox(box, across, down);
  const others = unturned ? await facesUnturned(unturned, { ...job, crop: plan.crop }, confidence) : [];
  const faces = joined(source.faces, others);
  return { faces: faces.map(inOutput), belowConfidence: source.belowConfidence.map(inOutput) };
}

/**
 * The encoded output. Its length is only predicted: a longer one takes what is free of the budget.
 * @throws OverloadedFault where the whole budget would be enough but other jobs hold a part of it
 */
async function encodeWithin(
  budget: MemoryBudget,
  reservation: Reservation,
  raster: Raster,
  ops: SanitizeOps,
  { encoder, predictedBytes, maxOutputBytes, encodedOutside, chroma }: SanitizePlan,
  slice: TimeSlice,
): Promise<OwnedBytes> {
  const limit = () => reservation.bytes - predictedBytes + maxOutputBytes;
  const raiseLimit = () => {
    reservation.takeFree(encodedOutside);
    return limit();
  };
  try {
    return await encoder.encode(raster, ops.output.quality, limit(), raiseLimit, slice, chroma);
  } catch (error) {
    const isAlone = reservation.bytes === budget.capacity;
    throw error instanceof OutputLimitFault && !isAlone ? memoryBusyFault() : error;
  }
}
