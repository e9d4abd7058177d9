import type { Raster } from '../codecs/types.ts';
import { type ScoredBox, scaleBox } from '../faces/boxes.ts';
import type { FaceDetector } from '../faces/detector.ts';
import { bytesOf, type ImageFile, type OwnedBytes } from '../memory/image_file.ts';
import { disposeOf } from '../memory/owned_bytes.ts';
import { blockNames } from '../metadata/block_names.ts';
import type { FileFacts } from '../metadata/facts.ts';
import type { SanitizeOps } from '../ops/schema.ts';
import { type ColourSource, unconverted } from '../pixels/colour/stated.ts';
import { rectsInside } from '../pixels/ellipse.ts';
import { NOTHING_HIDDEN } from '../pixels/hide.ts';
import { noticeTransparent } from '../pixels/notice_transparent.ts';
import type { JobTime, TimeSlice } from '../scheduling/time_slice.ts';
import { rowsWork } from '../scheduling/work.ts';
import { belowConfidence } from './below_confidence.ts';
import { findFaces, redetectFaces } from './find_faces.ts';
import { type FoundThing, findThings, type ThingSearch } from './find_things.ts';
import { facesUnturned, joined, thingsUnturned, type UnturnedSearch } from './find_unturned.ts';
import { fineBlocks } from './fine_blocks.ts';
import { legibleRegions, rereadThings, thingsReport, withoutThings, withThings } from './found_things.ts';
import { fillColour, hiddenAreas, isSpared } from './hidden_areas.ts';
import type { FaceBox } from './mosaic_plan.ts';
import { openImage } from './open_image.ts';
import { encodingTime, isSteady } from './pixel_time.ts';
import type { SanitizePlan } from './plan.ts';
import type { OnProgress } from './progress.ts';
import { colourReport, hidingReport, type JobReport, warningsOf } from './report.ts';
import { applySteps, beforeHiding, fromHiding, fromHidingToPixelate } from './steps.ts';
import { assertClean } from './verify_output.ts';

/** A sanitized image without its bytes. */
export interface SanitizedImage {
  readonly mediaType: string;
  /** File name extension, without the dot. */
  readonly extension: string;
  readonly report: JobReport;
}

/** A job whose memory is reserved. */
export interface PlannedJob {
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

/** What the pipeline has made: the file, which now belongs to the caller, and its description. */
export interface Outcome {
  readonly image: SanitizedImage;
  readonly output: OwnedBytes;
}

/**
 * Runs detection, then the steps in the specification's order (steps.ts), then checks the output.
 * @param encode writes the file within the job's memory
 * @throws Fault, see faults.ts; 'unclean' when the output would carry metadata
 */
export async function runJob(
  job: PlannedJob,
  encode: (raster: Raster, slice: TimeSlice) => Promise<OwnedBytes>,
): Promise<Outcome> {
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
  const endSlice = () => slice.end();
  const input = { facts, ops, conversion, bandBytes: plan.bands.result, factor, sizes: plan, endSlice };
  // Opening a profile's tables takes longer than a slice.
  if (conversion?.kind === 'table') await slice.end();
  const inView = { ...input, hidden: NOTHING_HIDDEN };
  const upright = await applySteps(image.raster, inView, beforeHiding);
  const prepared = await applySteps(upright.raster, inView, fromHidingToPixelate);
  const stillFound = detected
    ? await redetectFaces(prepared.raster, hiding([]).hidden, ops.pixelate, detector, slice)
    : [];
  const redetected = stillFound.filter((face) => !isSpared(ops.pixelate, face));
  things.push(...(await rereadThings(prepared.raster, hiding(redetected), job, slice)));
  signal?.throwIfAborted();
  if (detected) onProgress?.('detecting', 1);
  onProgress?.('encoding', 0);
  const { hidden, areas, ...counts } = hiding(redetected);
  const pixelated = await applySteps(upright.raster, { ...input, hidden }, fromHiding);
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
  const colour = upright.applied.has('toSrgb') ? source : unconverted(source);
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

/** Finds everything but faces; without what ops spare. Boxes are in output pixels. */
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

/** Detects faces in the cropped image. Boxes are in output pixels. */
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
