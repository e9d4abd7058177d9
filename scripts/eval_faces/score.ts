import {
  type Box,
  byConfidence,
  holdsCentre,
  overlap,
  padBox,
  type ScoredBox,
  sharedArea,
} from '../../src/faces/boxes.ts';
import { sanitizeOpsSchema } from '../../src/ops/schema.ts';

/** Face heights the tables are split by, in pixels of the picture as it is: lower bounds. */
export const heights = [0, 16, 24, 32, 48, 96, 192];

/** Faces from this height on make up the column that the card's aim is about. */
const firstBin = heights.indexOf(16);

/**
 * What the service grows boxes by unless told otherwise, and the share of a face it then has to cover to hide
 * it.
 */
const usualPadding = sanitizeOpsSchema.parse({}).pixelate.padding;
const hiddenShare = 0.9;

/** What a picture is known to show. */
export interface Labels {
  readonly faces: readonly Box[];
  /** Where it is not known whether there is a face: what is found there counts neither way. */
  readonly ignored: readonly Box[];
  /** Intersection over union from which a box found is the face labelled. */
  readonly leastOverlap: number;
}

/** Labels that overlap by this are of one face: what is found there may match either. */
const SAME_LABEL = 0.4;

/** One label a face: those that mark the same one, by several detectors or people, become their mean. */
export function withoutDoubles(labels: readonly Box[]): readonly Box[] {
  const groups: Box[][] = [];
  for (const label of labels) {
    const same = groups.filter((group) => group.some((other) => overlap(label, other) >= SAME_LABEL));
    for (const group of same) groups.splice(groups.indexOf(group), 1);
    groups.push([...same.flat(), label]);
  }
  return groups.map(meanBox);
}

function meanBox(boxes: readonly Box[]): Box {
  const mean = (side: keyof Box) => boxes.reduce((sum, box) => sum + box[side], 0) / boxes.length;
  return { x: mean('x'), y: mean('y'), w: mean('w'), h: mean('h') };
}

/**
 * A detection finds the labelled face it overlaps most, if by enough and no more confident one found it; one
 * that finds none is wrong, unless it lies where faces are ignored.
 * @returns for every labelled face whether it was found, and the wrong detections
 */
export function match(detections: readonly ScoredBox[], { faces, ignored, leastOverlap }: Labels) {
  const found = faces.map(() => false);
  const wrong: ScoredBox[] = [];
  for (const box of detections.toSorted(byConfidence)) {
    let best = -1;
    let most = leastOverlap;
    for (const [index, face] of faces.entries()) {
      const shared = found[index] ? 0 : overlap(box, face);
      if (shared >= most) {
        best = index;
        most = shared;
      }
    }
    if (best >= 0) found[best] = true;
    else if (!ignored.some((area) => overlap(box, area) > 0.3 || holdsCentre(area, box))) wrong.push(box);
  }
  return { found, wrong };
}

/**
 * For every labelled face whether a box, grown as the service grows it, covers nearly all of it: so it is not
 * to be seen.
 */
export function hidden(detections: readonly ScoredBox[], faces: readonly Box[]): boolean[] {
  const grown = detections.map((box) => padBox(box, usualPadding));
  return faces.map((face) => grown.some((box) => sharedArea(box, face) >= face.w * face.h * hiddenShare));
}

/**
 * The lowest confidence with at most so many wrong detections a picture. Wrong ones stay wrong when less sure
 * ones are left out, since the surest choose their face first.
 */
export function thresholdAt(
  results: readonly { readonly boxes: readonly ScoredBox[]; readonly labels: Labels }[],
  wrongAPicture: number,
): number {
  const wrong = results.flatMap(({ boxes, labels }) => match(boxes, labels).wrong);
  const confidences = wrong.map(({ confidence }) => confidence).sort((a, b) => b - a);
  return (confidences[Math.floor(wrongAPicture * results.length)] ?? 0) + Number.EPSILON;
}

/**
 * Counts of one way of looking at one confidence: recall by face height, wrong detections by kind of picture.
 */
export class Tally {
  readonly #all = heights.map(() => 0);
  readonly #found = heights.map(() => 0);
  readonly #hidden = heights.map(() => 0);
  wrong = 0;
  picturesWithWrong = 0;
  pictures = 0;
  passes = 0;

  add(labels: Labels, detections: readonly ScoredBox[], passes: number): void {
    const { found, wrong } = match(detections, labels);
    const unseen = hidden(detections, labels.faces);
    for (const [index, face] of labels.faces.entries()) {
      const bin = heights.findLastIndex((height) => face.h >= height);
      this.#all[bin]!++;
      if (found[index]) this.#found[bin]!++;
      if (unseen[index]) this.#hidden[bin]!++;
    }
    this.pictures++;
    this.passes += passes;
    this.wrong += wrong.length;
    if (wrong.length > 0) this.picturesWithWrong++;
  }

  get facesFrom16(): number {
    return sum(this.#all.slice(firstBin));
  }

  /** Found of all labelled, 0 to 1. */
  get recall(): number {
    return sum(this.#found) / Math.max(1, sum(this.#all));
  }

  /** Found of the labelled faces of 16 pixels and more, 0 to 1. */
  get recallFrom16(): number {
    return this.#shareFrom16(this.#found);
  }

  /** Hidden of the same, 0 to 1. */
  get hiddenFrom16(): number {
    return this.#shareFrom16(this.#hidden);
  }

  #shareFrom16(counts: readonly number[]): number {
    return sum(counts.slice(firstBin)) / Math.max(1, sum(this.#all.slice(firstBin)));
  }

  /** One entry a height: recall, undefined where no labelled face is that high. */
  get byHeight(): ({ recall: number; faces: number } | undefined)[] {
    return this.#all.map((all, bin) => (all ? { recall: this.#found[bin]! / all, faces: all } : undefined));
  }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
