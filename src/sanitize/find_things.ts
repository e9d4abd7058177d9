import type { Raster, Size } from '../codecs/types.ts';
import { DEFAULT_CONFIDENCE, DEFAULT_VIEWS, type Detector } from '../detectors/detector.ts';
import { searchBytes, searchViews, wantedWidth } from '../detectors/search.ts';
import type { ScoredBox } from '../faces/boxes.ts';
import { ParameterFault } from '../faults.ts';
import { bytesOf, type ImageFile } from '../memory/image_file.ts';
import type { MemoryCost } from '../memory/memory_cost.ts';
import type { DetectOps, SanitizeOps } from '../ops/schema.ts';
import { NOTHING_HIDDEN } from '../pixels/hide.ts';
import { type MapKind, mapKinds, readingModel } from '../readable/model.ts';
import type { OutlinedBox } from '../readable/outline.ts';
import type { JobTime, TimeSlice } from '../scheduling/time_slice.ts';
import type { Work } from '../scheduling/work.ts';
import type { BandBytes } from './cost_limit.ts';
import { atFullSize } from './find_faces.ts';
import { openImage } from './open_image.ts';
import { detectionTime } from './pixel_time.ts';
import { wantOf } from './plan.ts';
import type { Runtime } from './runtime.ts';
import { applySteps, beforeDetection, type Job, type JobSizes } from './steps.ts';

/** How what is found is hidden. */
interface HidingRule {
  /** The further detector's name. Absent: the project's own network found it. */
  readonly name?: string;
  readonly padding: number;
  readonly fill: 'mosaic' | 'solid';
}

/** What a search has found, in pixels of the picture that it searched. */
export interface FoundThing extends ScoredBox, OutlinedBox {
  readonly kind: string;
  readonly by: HidingRule;
  /** Found where something is hidden already, so it is not counted again. */
  readonly isAgain?: boolean;
  /** Found by the second look: areas to be spared stay visible in it. */
  readonly givesWay?: boolean;
}

/** A search that a job asks for. */
export interface ThingSearch {
  /** Reads of the source. */
  readonly reads: number;
  wantedWidth(size: Size): number;
  cost(size: Size): MemoryCost;
  /** Work beside reading. Absent: the work of a caller's own detector is for its owner to know. */
  work?(size: Size): Work;
  find(source: Raster, slice: TimeSlice, signal?: AbortSignal): Promise<readonly FoundThing[]>;
  /** Searches once more after everything found is hidden, at little cost. Absent: no second search. */
  readonly findAgain?: (source: Raster, slice: TimeSlice) => Promise<readonly FoundThing[]>;
}

type Rules = SanitizeOps['pixelate']['detectors'] | DetectOps['detectors'];
type Rule =
  | boolean
  | {
      readonly confidence?: number | undefined;
      readonly padding?: number;
      readonly fill?: 'mosaic' | 'solid';
    };

const DEFAULT_PADDING = 1.1;

/** The rule of one thing to find, with defaults for what ops leave out. */
const ruleOf = (rule: Rule) => {
  const { confidence, padding = DEFAULT_PADDING, fill = 'solid' } = typeof rule === 'object' ? rule : {};
  return { confidence, padding, fill } as const;
};

/**
 * The searches by the detectors that ops name.
 * @param path of the ops that name them
 * @throws ParameterFault for a detector that this runtime does not have
 */
export function detectorSearches(
  rules: Rules,
  { detectors = [] }: Pick<Runtime, 'detectors'>,
  path: string,
): ThingSearch[] {
  return Object.entries(rules ?? {}).flatMap(([name, rule]) => {
    const detector = detectors.find((one) => one.name === name);
    if (!detector) {
      const known = detectors.map((one) => one.name).join(', ');
      const expected = known ? `one of ${known}` : 'none, as there are no further detectors here,';
      throw new ParameterFault(`${path}.${name}`, `Expected ${expected} but received ${name}`);
    }
    return rule === false ? [] : [searchBy(detector, rule as Rule)];
  });
}

function searchBy(detector: Detector, rule: Rule): ThingSearch {
  const { name, views = DEFAULT_VIEWS } = detector;
  const { confidence = detector.confidence ?? DEFAULT_CONFIDENCE, ...hiding } = ruleOf(rule);
  const by = { name, ...hiding };
  return {
    reads: views.length,
    wantedWidth: (size) => wantedWidth(detector, size),
    cost: (size) => ({ inCores: 0, elsewhere: searchBytes(detector, size) }),
    find: async (source, slice, signal) =>
      (await searchViews(source, detector, confidence, slice, signal)).map((box) => ({ ...box, by })),
  };
}

/** The search for text and plates, if either is asked for. @throws ParameterFault if the runtime has none */
export function readableSearch(
  rules: Readonly<Partial<Record<MapKind, Rule>>>,
  { readable }: Pick<Runtime, 'readable'>,
  path: string,
): ThingSearch[] {
  const asked = mapKinds.filter((kind) => (rules[kind] ?? false) !== false);
  if (asked.length === 0) return [];
  if (!readable)
    throw new ParameterFault(path, `Expected no ${asked.join(' or ')}: nothing here can find it`);
  const ruleFor = new Map(asked.map((kind) => [kind, ruleOf(rules[kind]!)]));
  const least = new Map(
    asked.map((kind) => [kind, ruleFor.get(kind)!.confidence ?? readingModel.confidence[kind]]),
  );
  const find = (effort: 'thorough' | 'coarse') => async (source: Raster, slice: TimeSlice) =>
    (await readable.read(source, { least, effort, slice })).map((box) => ({
      ...box,
      by: ruleFor.get(box.kind)!,
    }));
  return [
    {
      reads: 1,
      wantedWidth: readable.wantedWidth,
      cost: readable.cost,
      work: readable.work,
      find: find('thorough'),
      findAgain: find('coarse'),
    },
  ];
}

/**
 * Runs the searches on the upright, cropped image. Each reads it as small as it can use it.
 * @returns tight boxes, in pixels of that image at full size
 * @throws whatever decoding and the searches throw
 */
export async function findThings(
  file: ImageFile,
  job: Job,
  sizes: JobSizes,
  bands: BandBytes,
  searches: readonly ThingSearch[],
  time: JobTime,
  signal?: AbortSignal,
): Promise<FoundThing[]> {
  const { facts } = job;
  const found: FoundThing[] = [];
  for (const search of searches) {
    using image = await openImage(file, facts, wantOf(search, facts, sizes.crop, bands), time);
    const { factor } = image;
    const { raster } = await applySteps(
      image.raster,
      { ...job, factor, sizes, hidden: NOTHING_HIDDEN },
      beforeDetection,
    );
    const slice = time.perPixel(detectionTime({ facts, bytes: bytesOf(file).length }, factor));
    const boxes = await search.find(raster, slice, signal);
    found.push(...boxes.map((box) => atFullSize(box, factor, sizes)));
  }
  return found;
}
