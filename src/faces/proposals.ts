import type { Box, QuarterTurns, ScoredBox } from './boxes.ts';

/**
 * One way of showing the picture to the model: a scale, perhaps mirrored or brightened, in one or many
 * passes.
 */
export interface View {
  /** Weight of its logits in the mean of all views. */
  readonly weight: number;
  /** Pixels of the model's input per pixel of the raster. */
  readonly scale: number;
  /** The view does not judge faces that are smaller than this in its input: others show them larger. */
  readonly leastSide: number;
  /** Nor does it judge larger ones. Absent: no limit. */
  readonly mostSide?: number;
  /** It showed only parts of the picture: a missing box says nothing. */
  readonly partial?: boolean;
  /** Whether it showed all of a box, in pixels of the raster: elsewhere a missing one says nothing. */
  readonly shows?: (box: Box) => boolean;
  /** It sees only some kinds of faces: a missing box, or one less sure than other views', says nothing. */
  readonly onlyRaises?: boolean;
}

/** Whether the view judges faces with this side, in pixels of the raster. */
export const judges = (
  { scale, leastSide, mostSide = Number.POSITIVE_INFINITY }: View,
  side: number,
): boolean => side * scale >= leastSide && side * scale <= mostSide;

/** A face as one pass detected it, in pixels of the raster. */
export interface Proposal extends ScoredBox {
  readonly view: View;
  /** Number of the pass: two parts of one face come from two passes. */
  readonly pass: number;
  /** The box ends where the tile ends but the picture goes on: it may be only part of a face. */
  readonly cut: boolean;
}

/** Proposals of all views for one place. */
export interface Cluster extends Box {
  /** The highest logit of each view that sees a face there. */
  readonly logits: Map<View, number>;
  /** The boxes that are not cut and that their views judge. */
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
