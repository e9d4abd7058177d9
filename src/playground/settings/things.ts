import { type OutlinedBox, rotateOutline } from '../../readable/outline.ts';
import { type Box, bottom, intersection, type Size, type Turn, turnedBox } from '../geometry.ts';

/**
 * A finding on a photo, in the frame. A face has a tight box, clipped to the frame; the box of another thing,
 * which may be turned, is the area to hide, with its padding.
 */
export interface Found extends OutlinedBox {
  /** `plate`, `text`, or the name of the operator's detector that found it; absent for a face. */
  readonly kind?: string;
  /** What that detector calls it. */
  readonly called?: string;
  /** 0 to 1 */
  readonly confidence: number;
  /** Whether it is to be hidden. */
  readonly hidden: boolean;
}

export const isFace = ({ kind }: Found): boolean => kind === undefined;

/** What is looked for and covered besides faces. */
export interface Kinds {
  readonly plates: boolean;
  readonly text: boolean;
  /** Names of the operator's detectors to use, among those that the page offers. */
  readonly detectors: readonly string[];
}

/** Their names. */
export const chosenKinds = ({ plates, text, detectors }: Kinds): string[] => [
  ...(plates ? ['plate'] : []),
  ...(text ? ['text'] : []),
  ...detectors,
];

/** The findings of these kinds. */
export const thingsOf = <F extends Found>(found: readonly F[], kinds: readonly string[]): F[] =>
  found.filter(({ kind }) => kind !== undefined && kinds.includes(kind));

/** Boxes that share more than this of what they cover together are the same thing. */
const SAME = 0.4;

/** Whether two searches have found the same thing. */
export function isSame(one: Box, other: Box): boolean {
  const shared = intersection(one, other);
  if (!shared) return false;
  const area = shared.w * shared.h;
  return area > SAME * (one.w * one.h + other.w * other.h - area);
}

/** Everything in `known`, and what only the other search has found. */
export const joined = <F extends Box>(known: readonly F[], others: readonly F[]): F[] => [
  ...known,
  ...others.filter((other) => !known.some((one) => isSame(one, other))),
];

/** Sorts by lines from top to bottom, and within each from left to right. */
export function inReadingOrder<F extends Found>(things: readonly F[]): F[] {
  const lines: F[][] = [];
  for (const thing of things.toSorted((a, b) => a.y - b.y)) {
    const line = lines.at(-1);
    if (line && thing.y + thing.h / 2 < bottom(line[0]!)) line.push(thing);
    else lines.push([thing]);
  }
  return lines.flatMap((line) => line.toSorted((a, b) => a.x - b.x));
}

/** The finding after its picture, which had this size before, was turned. */
export const turnedFound = <F extends Found>(found: F, within: Size, turn: Turn): F =>
  rotateOutline(turnedBox(found, within, turn), (turn / 90) as Parameters<typeof rotateOutline>[1]);
