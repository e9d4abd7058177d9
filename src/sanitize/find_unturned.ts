import { indexed } from '../faces/box_index.ts';
import {
  moveBox,
  overlap,
  type QuarterTurns,
  rotateBox,
  type ScoredBox,
  sharedArea,
} from '../faces/boxes.ts';
import type { FaceDetector } from '../faces/detector.ts';
import type { ImageFile } from '../memory/image_file.ts';
import type { FileFacts } from '../metadata/facts.ts';
import type { SanitizeOps } from '../ops/schema.ts';
import type { Rect } from '../pixels/rect.ts';
import { rotateOutline } from '../readable/outline.ts';
import type { JobTime } from '../scheduling/time_slice.ts';
import { findFaces } from './find_faces.ts';
import { type FoundThing, findThings, type ThingSearch } from './find_things.ts';
import { type DetectPlan, planDetect, type SanitizePlan } from './plan.ts';

/**
 * A search of the picture as its file has it, in addition to that of the turned one (`rotate`). A face or a
 * text that lies on its side is found less reliably, and a turn must not leave it visible.
 */
export interface UnturnedSearch {
  readonly facts: FileFacts;
  readonly plan: DetectPlan;
  readonly turns: QuarterTurns;
}

/** @returns undefined if nothing is turned or searched for. @throws Fault 'limit' as `planDetect` */
export function unturnedSearch(
  facts: FileFacts,
  { rotate, pixelate }: Pick<SanitizeOps, 'rotate' | 'pixelate'>,
  inputBytes: number,
  detector: FaceDetector,
  searches: readonly ThingSearch[],
): UnturnedSearch | undefined {
  if (rotate === undefined || !(pixelate.faces || searches.length > 0)) return undefined;
  const plan = planDetect(facts, inputBytes, pixelate.faces ? detector : undefined, searches);
  return { facts, plan, turns: (rotate / 90) as QuarterTurns };
}

/**
 * The plan of a job that also makes this search. The two run one after the other, so the larger memory
 * counts.
 */
export const withUnturned = (plan: SanitizePlan, search: UnturnedSearch | undefined): SanitizePlan =>
  search
    ? {
        ...plan,
        predictedBytes: Math.max(plan.predictedBytes, search.plan.predictedBytes),
        leastBytes: Math.max(plan.leastBytes, search.plan.predictedBytes),
        outsideCores: Math.max(plan.outsideCores, search.plan.outsideCores),
      }
    : plan;

/** What the search needs of its job. */
interface TurnedJob {
  readonly file: ImageFile;
  readonly detector: FaceDetector;
  readonly time: JobTime;
  readonly signal: AbortSignal | undefined;
  /** In pixels of the turned picture at full size. */
  readonly crop: Rect;
}

/** Faces, in pixels of the turned, cropped image at full size. @throws what decoding and detection throw */
export async function facesUnturned(
  { facts, plan, turns }: UnturnedSearch,
  { file, detector, time, crop }: TurnedJob,
  confidence: number,
): Promise<ScoredBox[]> {
  const { bands, sizes, want } = plan;
  const { faces } = await findFaces({
    file,
    facts,
    ops: {},
    bandBytes: bands.detection,
    sizes,
    want,
    confidence,
    detector,
    time,
    onProgress: undefined,
  });
  return inCrop(
    faces.map((face) => rotateBox(face, turns, sizes.upright)),
    crop,
  );
}

/** As `facesUnturned`, for everything but faces. */
export async function thingsUnturned(
  { facts, plan, turns }: UnturnedSearch,
  { file, time, signal, crop }: TurnedJob,
  searches: readonly ThingSearch[],
): Promise<FoundThing[]> {
  const { bands, sizes } = plan;
  const job = { facts, ops: {}, bandBytes: bands.detection };
  const found = await findThings(file, job, sizes, bands, searches, time, signal);
  return inCrop(
    found.map((thing) => rotateOutline(rotateBox(thing, turns, sizes.upright), turns)),
    crop,
  );
}

const inCrop = <B extends ScoredBox>(boxes: readonly B[], { x, y, width, height }: Rect): B[] =>
  boxes
    .map((box) => moveBox(box, -x, -y))
    .filter((box) => sharedArea(box, { x: 0, y: 0, w: width, h: height }) > 0);

/** Boxes of the two searches whose overlap is larger are the same thing. */
const SAME = 0.4;

/** Everything that was found in the turned picture, and what only the other search found. */
export function joined<B extends ScoredBox>(turned: readonly B[], others: readonly B[]): B[] {
  const index = indexed<B>();
  for (const box of turned) index.insert(box);
  // The overlap of two boxes is at most the share of one's width, or height, that lies in the other: `near`
  // misses none.
  const isNew = (other: B) => index.near(other, SAME).every((known) => overlap(known, other) <= SAME);
  return [...turned, ...others.filter(isNew)];
}
