import type { Raster, Want } from '../codecs/types.ts';
import { moveBox, type ScoredBox, scaleBox } from '../faces/boxes.ts';
import type { FaceDetector } from '../faces/detector.ts';
import { bytesOf, type ImageFile } from '../memory/image_file.ts';
import type { SanitizeOps } from '../ops/schema.ts';
import { type Hidden, hide, NOTHING_HIDDEN } from '../pixels/hide.ts';
import type { JobTime, TimeSlice } from '../scheduling/time_slice.ts';
import { rowsWork } from '../scheduling/work.ts';
import { areaInShrunk } from './crop_area.ts';
import { MOSAIC_BYTES } from './mosaic_plan.ts';
import { openImage } from './open_image.ts';
import { detectionTime } from './pixel_time.ts';
import { measuredDetection, type OnProgress } from './progress.ts';
import { applySteps, beforeDetection, type Job, type JobSizes } from './steps.ts';

/** What detection found in the source. */
interface Detections {
  /**
   * In pixels of the upright, cropped image at full size; the most confident first, as in `belowConfidence`.
   */
  readonly faces: readonly ScoredBox[];
  /** Candidates below the confidence asked for. */
  readonly belowConfidence: readonly ScoredBox[];
}

/** One detection: a job's file, and how it is read and searched. */
interface FaceSearch extends Job {
  readonly file: ImageFile;
  readonly sizes: JobSizes;
  readonly want: Want;
  readonly confidence: number;
  readonly detector: FaceDetector;
  readonly time: JobTime;
  readonly onProgress: OnProgress | undefined;
}

/**
 * Detects faces in the upright, cropped image, read as small as the detector allows.
 * @throws whatever decoding and detection throw
 */
export async function findFaces(search: FaceSearch): Promise<Detections> {
  const { file, facts, sizes, want, confidence, detector, time, onProgress } = search;
  using image = await openImage(file, facts, want, time);
  const { factor } = image;
  const { raster } = await applySteps(
    image.raster,
    { ...search, factor, hidden: NOTHING_HIDDEN },
    beforeDetection,
  );
  const slice = time.perPixel(detectionTime({ facts, bytes: bytesOf(file).length }, factor));
  const { faces, belowConfidence } = await detector.detect(raster, {
    confidence,
    effort: 'thorough',
    slice: onProgress ? measuredDetection(slice, rowsWork(raster.height, raster.width), onProgress) : slice,
  });
  const placed = (box: ScoredBox) => atFullSize(box, factor, sizes);
  return { faces: faces.map(placed), belowConfidence: belowConfidence.map(placed) };
}

/** Converts a box of the cropped image, read shrunk by a factor, to pixels of that image at full size. */
export function atFullSize<B extends ScoredBox>(box: B, factor: number, { upright, crop }: JobSizes): B {
  const shrunk = { width: Math.ceil(upright.width / factor), height: Math.ceil(upright.height / factor) };
  const cut = areaInShrunk(crop, factor, shrunk);
  return moveBox(scaleBox(moveBox(box, cut.x, cut.y), factor, factor), -crop.x, -crop.y);
}

/**
 * The second detection (`pixelate.verify`): faces that are still found in the pixelated image, in output
 * pixels; none if nothing was pixelated.
 * @param prepared the image as it is before pixelation
 */
export async function redetectFaces(
  prepared: Raster,
  hidden: Hidden,
  { verify, confidence }: SanitizeOps['pixelate'],
  detector: FaceDetector,
  slice: TimeSlice,
): Promise<ScoredBox[]> {
  if (!verify) return [];
  const pixelated = hide(prepared, hidden, MOSAIC_BYTES);
  if (pixelated === prepared) return [];
  const { faces } = await detector.detect(pixelated, { confidence, effort: 'coarse', slice });
  return faces.filter(
    ({ x, y, w, h }) => x < prepared.width && y < prepared.height && x + w > 0 && y + h > 0,
  );
}
