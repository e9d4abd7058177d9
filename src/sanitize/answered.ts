import type { Size } from '../codecs/types.ts';
import {
  type Box,
  byConfidence,
  clipBox,
  padBox,
  roundBox,
  type ScoredBox,
  sharedArea,
} from '../faces/boxes.ts';
import type { DetectedFace, DetectedThing } from '../ops/responses.ts';
import { cornersIn } from '../readable/outline.ts';
import { LISTED_DISTANCE, MAX_LISTED } from '../vocabulary/vocabulary.ts';
import type { Found } from './finder.ts';
import { padded } from './hidden_areas.ts';

/** A box as answers have it: edges to a tenth of a pixel, confidence to a thousandth. */
export function answeredBox(box: ScoredBox): DetectedFace {
  const { x, y, w, h, confidence } = roundBox(box);
  return { x, y, w, h, confidence: Math.round(confidence * 1000) / 1000 };
}

/**
 * What a person should look at: spots at most `LISTED_DISTANCE` below the confidence asked for of which
 * nothing is hidden; the most confident ones, at most `MAX_LISTED`.
 * @param candidates tight boxes below the confidence asked for, in pixels of `picture`
 * @param hidden areas in the same pixels
 * @returns boxes as they would be hidden: grown by `padding` and clipped to the picture
 */
export function belowConfidence(
  candidates: readonly ScoredBox[],
  hidden: readonly Box[],
  picture: Size,
  { confidence, padding }: { readonly confidence: number; readonly padding: number },
): DetectedFace[] {
  return candidates
    .filter((spot) => spot.confidence >= confidence - LISTED_DISTANCE)
    .filter((spot) => hidden.every((area) => sharedArea(area, spot) === 0))
    .toSorted(byConfidence)
    .flatMap((spot) => clipBox(padBox(spot, padding), picture) ?? [])
    .slice(0, MAX_LISTED)
    .map(answeredBox);
}

/** Found things as answers list them: padded, clipped to the picture, the most confident first. */
export const answeredThings = (things: readonly Found[], picture: Size): DetectedThing[] =>
  things
    .map(padded)
    .flatMap((thing) => {
      const box = clipBox(thing, picture);
      return box ? [{ ...thing, box }] : [];
    })
    .sort((a, b) => b.confidence - a.confidence)
    .map((thing) => ({
      ...(thing.by.name !== undefined && { detector: thing.by.name }),
      kind: thing.kind,
      ...answeredBox(thing.box),
      ...(thing.outline && { corners: cornersIn(thing).map(answeredPoint) }),
    }));

/** A corner as answers have it. */
export const answeredPoint = ({ x, y }: { readonly x: number; readonly y: number }) => ({
  x: Math.round(x * 10) / 10,
  y: Math.round(y * 10) / 10,
});
