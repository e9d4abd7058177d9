import type { Raster, Size } from '../codecs/types.ts';
import { indexed } from '../faces/box_index.ts';
import { type Box, clipBox, overlap, type ScoredBox } from '../faces/boxes.ts';
import type { MemoryCost } from '../memory/memory_cost.ts';
import type { OutlinedBox } from '../readable/outline.ts';
import type { TimeSlice } from '../scheduling/time_slice.ts';
import type { Work } from '../scheduling/work.ts';

/** How what is found is hidden. */
export interface HidingRule {
  /** Name of the caller's or operator's detector. Absent: the project's own networks. */
  readonly name?: string;
  /** The factor by which a box is grown. */
  readonly padding: number;
  readonly fill: 'mosaic' | 'solid';
}

/** Something found, as a tight box in pixels of the picture that was searched. */
export interface Found extends ScoredBox, OutlinedBox {
  /** `face`, `plate`, `text`, or what a detector calls it. */
  readonly kind: string;
  readonly by: HidingRule;
  /** What is hidden of a face that was given with its padding. Absent: the box, padded. */
  readonly cover?: Box;
}

export interface Findings {
  readonly found: readonly Found[];
  /** Perhaps faces: candidates below the confidence asked for, the most confident first. */
  readonly doubtful: readonly ScoredBox[];
}

/** Something that finds what is to be hidden: faces, text and plates, or what a further detector knows. */
export interface Finder {
  /** How often `find` reads its source, at most. */
  readonly reads: number;
  /** The width of a picture of this size that it can make use of: a decoder may shrink it to that. */
  wantedWidth(size: Size): number;
  /** Peak bytes that it holds for a picture of this size. */
  cost(size: Size): MemoryCost;
  /** Work beside reading. Absent: none that is known. */
  work?(size: Size): Work;
  /** @throws whatever reading and the search throw */
  find(source: Raster, slice: TimeSlice, signal?: AbortSignal): Promise<Findings>;
}

/** What a job looks for. */
export interface Finders {
  /** In the picture. */
  readonly first: readonly Finder[];
  /** Around a crop, for what its edge cuts. */
  readonly around: readonly Finder[];
  /** Once more, in the result. */
  readonly again: readonly Finder[];
}

/** Boxes of two searches whose overlap is larger are the same thing. */
const SAME = 0.4;

/** Everything in `known`, and what only the other search found. @param output where boxes are compared */
export function joined(known: readonly Found[], others: readonly Found[], output: Size): Found[] {
  const index = indexed<Found>();
  const shown = (box: Found) => clipBox(box, output) ?? box;
  for (const box of known) index.insert(shown(box));
  // The overlap of two boxes is at most the share of one's width, or height, that lies in the other: `near`
  // misses none.
  const isNew = (other: Found) =>
    index.near(other, SAME).every((one) => !isSameKind(one, other) || overlap(one, other) <= SAME);
  return [...known, ...others.filter((box) => isNew(shown(box)))];
}

const isSameKind = (one: Found, other: Found) => one.kind === other.kind && one.by.name === other.by.name;
