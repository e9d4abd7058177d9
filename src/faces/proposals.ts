import type { Box, QuarterTurns, ScoredBox } from './boxes.ts';

/**
 * One way of showing the picture to the model: a scale, perhaps mirrored or brightened, in one or many
 * passes.
 */
export interface View {
  /** Weight of its logits beside those of the others. */
  readonly weight: number;
  /** Pixels of the model's input for one of the raster. */
  readonly scale: number;
  /** A face that is smaller in the input is not judged by this view where another one shows it larger. */
  readonly leastSide: number;
  /** Nor is one that is larger in the input. Absent: any. */
  readonly mostSide?: number;
  /** It showed parts of the picture only: that it has no box somewhere says nothing. */
  readonly partial?: boolean;
  /** It sees faces of some kinds only: that it has no box, or a less sure one than others, says nothing. */
  readonly onlyRaises?: boolean;
}

/** Whether a face of this side, in pixels of the raster, is of a size that the view judges. */
export const judges = (
  { scale, leastSide, mostSide = Number.POSITIVE_INFINITY }: View,
  side: number,
): boolean => side * scale >= leastSide && side * scale <= mostSide;

/** A face as one pass detected it, in pixels of the raster. */
export interface Proposal extends ScoredBox {
  readonly view: View;
  /** Which pass: two parts of one face come from two passes. */
  readonly pass: number;
  /** It ends where the tile ends but the picture goes on: perhaps only part of a face. */
  readonly cut: boolean;
}

/** Proposals of one place, by all views. */
export interface Cluster extends Box {
  /** The highest logit of each view that sees a face there. */
  readonly logits: Map<View, number>;
  /** Of these, the boxes that are not cut. */
  readonly members: Proposal[];
}

/** What views in one rotation of the picture see. */
export class Sightings {
  readonly rotation: QuarterTurns;
  readonly views: View[] = [];
  readonly proposals: Proposal[] = [];

  constructor(rotation: QuarterTurns = 0) {
    this.rotation = rotation;
  }
}
