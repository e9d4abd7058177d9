import type { Raster, Size } from '../codecs/types.ts';
import { bytesOf, type ImageFile, type OwnedBytes } from '../memory/image_file.ts';
import { disposeOf } from '../memory/owned_bytes.ts';
import type { SanitizeOps } from '../ops/schema.ts';
import { type ColourSource, unconverted } from '../pixels/colour/stated.ts';
import { NOTHING_HIDDEN } from '../pixels/hide.ts';
import { noticeTransparent } from '../pixels/notice_transparent.ts';
import { coverOf } from '../readable/outline.ts';
import type { JobTime, TimeSlice } from '../scheduling/time_slice.ts';
import { rowsWork } from '../scheduling/work.ts';
import { coveredShare } from './covered_share.ts';
import type { Found } from './finder.ts';
import {
  fillColour,
  foundAreas,
  type HiddenArea,
  hiddenOf,
  isSpared,
  MOSTLY,
  type Pixelate,
  padded,
} from './hidden_areas.ts';
import { search } from './looks.ts';
import { regionAreas } from './mosaic_plan.ts';
import { openImage } from './open_image.ts';
import { encodingTime, isSteady } from './pixel_time.ts';
import { isSurelyOpaque, type SanitizePlan } from './plan.ts';
import type { OnProgress } from './progress.ts';
import { type JobReport, reportOf } from './report.ts';
import { secondLook } from './second_look.ts';
import { applySteps, beforeHiding, fromHiding } from './steps.ts';
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
  readonly source: ColourSource;
  readonly ops: SanitizeOps;
  readonly plan: SanitizePlan;
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
 * Finds what is to be hidden, reads the picture through the steps in the specification's order (steps.ts),
 * looks at it once more, encodes it, and checks the output.
 * @param encode writes the file within the job's memory
 * @throws Fault, see faults.ts; 'unclean' when the output would carry metadata
 */
export async function runJob(
  job: PlannedJob,
  encode: (raster: Raster, slice: TimeSlice) => Promise<OwnedBytes>,
): Promise<Outcome> {
  const { file, source, ops, plan, signal, time, onProgress } = job;
  const { facts, crop, output, finders } = plan;
  const { conversion } = source;
  const isSearched = finders.first.length + finders.again.length > 0;
  if (isSearched) onProgress?.('detecting', 0);
  const { list: found, doubtful } = await findAreas(job);

  using image = await openImage(file, facts, plan.wantForResult, time);
  const { factor } = image;
  const scale = (output.width * factor) / crop.width;
  const pixelTime = encodingTime({ facts, bytes: bytesOf(file).length }, ops.output.format, {
    factor,
    isConverted: conversion !== undefined,
    kept: output.width < crop.width ? scale ** 2 : 1,
  });
  time.announce(rowsWork(image.raster.height, image.raster.width) * pixelTime);
  const slice = time.perPixel(pixelTime, isSteady(facts, conversion?.kind === 'table'));
  // Opening a profile's tables takes longer than a slice.
  if (conversion?.kind === 'table') await slice.end();
  const endSlice = () => slice.end();
  const input = { facts, ops, conversion, bandBytes: plan.bandBytes, factor, crop, output, endSlice };
  const upright = await applySteps(image.raster, { ...input, hidden: NOTHING_HIDDEN }, beforeHiding);
  const sure = { grey: ops.grayscale, opaque: isSurelyOpaque(facts.format) };
  const show = async (list: readonly HiddenArea[]) => {
    const hidden = hiddenOf(list, ops.pixelate, fillColour(ops), output, sure);
    return (await applySteps(upright.raster, { ...input, hidden }, fromHiding)).raster;
  };
  const again = await secondLook(found, finders.again, ops.pixelate, show, slice);
  signal?.throwIfAborted();
  if (isSearched) onProgress?.('detecting', 1);

  onProgress?.('encoding', 0);
  const list = ops.pixelate.verify === 'list' ? found : [...found, ...again];
  const raster = await show(list);
  const seen = plan.encoder.format === 'jpeg' ? noticeTransparent(raster) : undefined;
  const written = await encode(seen?.raster ?? raster, slice);
  onProgress?.('encoding', 1);
  image[Symbol.dispose]();
  disposeOf(file);

  const verified = await assertClean(written, time);
  const colour = upright.applied.has('toSrgb') ? source : unconverted(source);
  const report = reportOf({
    ops,
    plan,
    list,
    again,
    doubtful,
    colour,
    isFlattened: seen?.isTransparent === true,
    verified,
    bytes: written.bytes.length,
  });
  const { mediaType, extension } = plan.encoder;
  return { output: written, image: { mediaType, extension, report } };
}

/**
 * The first search: regions, areas that were given, and what finders find beside them. What an opaque fill of
 * the caller covers for the most part is left to that.
 */
async function findAreas({ file, ops: { pixelate }, plan, time, signal, onProgress }: PlannedJob) {
  const { looks, regions, given, filled, output } = plan;
  const { found, doubtful } = await search(looks, { file, time, signal, onProgress });
  const painted = coveredShare(filled, output);
  const isGiven = alreadyIn(given, pixelate, output);
  const others = found.filter((one) => painted(one) < MOSTLY && !isGiven(one));
  return { list: [...regions, ...foundAreas([...given, ...others], pixelate, output)], doubtful };
}

/** A found thing of which this share lies under one of its kind that was given is the same. */
const SAME_SHARE = 0.98;

/** Whether what was found is hidden already by an area of its kind that was given. */
function alreadyIn(given: readonly Found[], pixelate: Pixelate, output: Size): (found: Found) => boolean {
  const shares = new Map<string, ReturnType<typeof coveredShare>>();
  const shareOf = (kind: string) => {
    const known = shares.get(kind);
    if (known) return known;
    const areas = given.filter((one) => one.kind === kind && !isSpared(pixelate, one)).map(padded);
    const covers = areas.flatMap((area) => coverOf(area, output));
    const hidden = { of: regionAreas(covers, output), without: regionAreas(pixelate.except, output) };
    const share = coveredShare(hidden, output);
    shares.set(kind, share);
    return share;
  };
  return (found) => given.length > 0 && shareOf(found.kind)(found) >= SAME_SHARE;
}
