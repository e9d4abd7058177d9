import type { Size } from '../codecs/types.ts';
import { DEFAULT_CONFIDENCE, type Detector } from '../detectors/detector.ts';
import { searchViews } from '../detectors/search.ts';
import { clipBox, padBox, type ScoredBox } from '../faces/boxes.ts';
import { ParameterFault } from '../faults.ts';
import type { ImageFile } from '../memory/image_file.ts';
import type { DetectedThing } from '../ops/responses.ts';
import type { DetectOps, SanitizeOps } from '../ops/schema.ts';
import { NOTHING_HIDDEN } from '../pixels/hide.ts';
import type { JobTime } from '../time_slice.ts';
import { answeredBox } from './below_confidence.ts';
import type { BandBytes } from './cost_limit.ts';
import { atFullSize } from './find_faces.ts';
import { openImage } from './open_image.ts';
import { detectionTime } from './pixel_time.ts';
import { wantOf } from './plan.ts';
import type { Runtime } from './runtime.ts';
import { applySteps, beforeDetection, type Job, type JobSizes } from './steps.ts';

/** A detector that a job asks for, and what it asks of it. */
export interface ChosenDetector {
  readonly detector: Detector;
  readonly confidence: number;
  readonly padding: number;
  readonly fill: 'mosaic' | 'solid';
}

type Rules = SanitizeOps['pixelate']['detectors'] | DetectOps['detectors'];

const DEFAULT_PADDING = 1.1;

/**
 * The detectors that ops name.
 * @param path of the ops that name them
 * @throws ParameterFault for one that this runtime has not
 */
export function chosenDetectors(
  rules: Rules,
  { detectors = [] }: Pick<Runtime, 'detectors'>,
  path: string,
): ChosenDetector[] {
  return Object.entries(rules ?? {}).flatMap(([name, rule]) => {
    const detector = detectors.find((one) => one.name === name);
    if (!detector) {
      const known = detectors.map((one) => one.name).join(', ');
      const expected = known ? `one of ${known}` : 'none, as there are no further detectors here,';
      throw new ParameterFault(`${path}.${name}`, `Expected ${expected} but received ${name}`);
    }
    if (rule === false) return [];
    const {
      confidence,
      padding = DEFAULT_PADDING,
      fill = 'solid',
    } = rule === true ? {} : (rule as Partial<Omit<ChosenDetector, 'detector'>>);
    return [{ detector, confidence: confidence ?? detector.confidence ?? DEFAULT_CONFIDENCE, padding, fill }];
  });
}

/** What a detector has found. */
export interface FoundThing extends ScoredBox {
  readonly kind: string;
  readonly by: ChosenDetector;
}

/**
 * What detectors find in the upright, cropped image: each reads it as small as its views allow.
 * @returns boxes in pixels of that image at full size, tight
 * @throws whatever decoding and the detectors throw
 */
export async function findThings(
  file: ImageFile,
  job: Job,
  sizes: JobSizes,
  bands: BandBytes,
  chosen: readonly ChosenDetector[],
  time: JobTime,
  signal?: AbortSignal,
): Promise<FoundThing[]> {
  const { facts } = job;
  const found: FoundThing[] = [];
  for (const by of chosen) {
    using image = await openImage(file, facts, wantOf(by.detector, facts, sizes.crop, bands), time);
    const { factor } = image;
    const { raster } = await applySteps(
      image.raster,
      { ...job, factor, sizes, hidden: NOTHING_HIDDEN },
      beforeDetection,
    );
    const slice = time.perPixel(detectionTime(facts.format, factor));
    const boxes = await searchViews(raster, by.detector, by.confidence, slice, signal);
    found.push(...boxes.map((box) => ({ ...atFullSize(box, factor, sizes), by })));
  }
  return found;
}

/** Found things as answers have them: padded, within the picture, most certain first. */
export const answeredThings = (things: readonly FoundThing[], picture: Size): DetectedThing[] =>
  things
    .flatMap((thing) => clipBox(padBox(thing, thing.by.padding), picture) ?? [])
    .sort((a, b) => b.confidence - a.confidence)
    .map((thing) => ({ detector: thing.by.detector.name, kind: thing.kind, ...answeredBox(thing) }));
