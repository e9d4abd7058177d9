import { indexed, type MakeIndex } from './box_index.ts';
import { type Box, byConfidence, overlap, type ScoredBox, sharedArea } from './boxes.ts';
import type { Look, LookDetection, Spot } from './look.ts';
import { calibrated, leastLogit, logit, sameFace } from './model.ts';
import { joinParts } from './parts.ts';

/** A face by the opinion of all looks. */
export interface FusedBox extends Box {
  /** Mean of the looks' logits, less what is taken off for a small face. */
  readonly logit: number;
  /** Degrees that the picture was turned clockwise when it was seen; absent: none. */
  readonly turned?: number;
}

/** Boxes of several looks that overlap this much are one face (docs/faces.md: how it was chosen). */
const sameSpot = 0.35;

/** A box is part of a more confident one when this share of it lies inside. */
const insideShare = 0.8;

/**
 * False boxes are small more often than faces are: below this side, in pixels of the finest look, so much is
 * taken off the logit for each halving (docs/faces.md: how it was chosen).
 */
const smallFace = 20;
const perHalving = 1.5;

/**
 * One box a face: detections of all looks are gathered spot by spot, most confident first. A spot's logit is
 * the weighted mean over the looks that show it large enough, where a look that sees nothing there counts
 * with the least logit; its box is the mean of theirs.
 * @param looks that were taken, each of the whole picture unless it is `partial`
 * @returns most confident first
 */
export function fuse(
  detections: readonly LookDetection[],
  looks: readonly Look[],
  makeIndex: MakeIndex = indexed,
): FusedBox[] {
  const boxes = gather(detections, makeIndex).map((spot) => fusedBox(spot, looks));
  return withoutCovered(boxes, makeIndex);
}

/** Of boxes that overlap, or lie one in the other, the most confident; most confident first. */
export function withoutCovered(boxes: readonly FusedBox[], makeIndex: MakeIndex = indexed): FusedBox[] {
  const kept: FusedBox[] = [];
  const index = makeIndex<FusedBox>();
  for (const box of boxes.toSorted((a, b) => b.logit - a.logit)) {
    const area = box.w * box.h * insideShare;
    const covers = (other: Box) => overlap(other, box) > sameFace || sharedArea(other, box) >= area;
    // A box that covers it in either sense has nearly half of its width and height at least.
    if (index.near(box, sameFace).some(covers)) continue;
    kept.push(box);
    index.insert(box);
  }
  return kept;
}

/** With its confidence, 0 to 1. */
export const confident = ({ x, y, w, h, logit: value }: FusedBox): ScoredBox => ({
  x,
  y,
  w,
  h,
  confidence: calibrated(value),
});

function gather(detections: readonly LookDetection[], makeIndex: MakeIndex): Spot[] {
  const spots: Spot[] = [];
  const index = makeIndex<Spot>();
  const open = (seed: LookDetection) => {
    const { x, y, w, h } = seed;
    const spot = { x, y, w, h, opinions: new Map<Look, number>(), members: [] };
    spots.push(spot);
    index.insert(spot);
    add(spot, seed);
  };
  for (const detection of detections.filter(({ cut }) => !cut).sort(byConfidence)) {
    let best: Spot | undefined;
    let most = sameSpot;
    for (const spot of index.near(detection, sameSpot)) {
      const shared = overlap(spot, detection);
      if (shared >= most) [best, most] = [spot, shared];
    }
    if (best) add(best, detection);
    else open(detection);
  }
  // Parts of faces come last: they count with the whole face where a look has seen that.
  for (const part of joinParts(detections, index, add, makeIndex)) open(part);
  return spots;
}

function add(spot: Spot, detection: LookDetection): void {
  const { look, cut } = detection;
  const value = logit(detection.confidence);
  spot.opinions.set(look, Math.max(value, spot.opinions.get(look) ?? leastLogit));
  const isJudged = Math.max(detection.w, detection.h) * look.scale >= look.leastSide;
  if (!cut && isJudged) spot.members.push(detection);
}

function fusedBox(spot: Spot, looks: readonly Look[]): FusedBox {
  const box = meanBox(spot);
  const side = Math.max(box.w, box.h);
  const judges = looks.filter(
    (look) => side * look.scale >= look.leastSide && (!look.partial || spot.opinions.has(look)),
  );
  const counted = judges.length > 0 ? judges : [...spot.opinions.keys()];
  let sum = 0;
  let weights = 0;
  let finest = 0;
  for (const look of counted) {
    sum += look.weight * (spot.opinions.get(look) ?? leastLogit);
    weights += look.weight;
    finest = Math.max(finest, look.scale);
  }
  const halvings = Math.min(0, Math.log2((side * Math.min(1, finest)) / smallFace));
  return { ...box, logit: sum / weights + perHalving * halvings };
}

/**
 * The mean of the boxes of whole faces, by weight and confidence; what the spot began with if there are none.
 */
function meanBox({ x, y, w, h, members }: Spot): Box {
  if (members.length === 0) return { x, y, w, h };
  let [left, top, right, bottom, weights] = [0, 0, 0, 0, 0];
  for (const box of members) {
    const weight = box.confidence * box.look.weight;
    left += weight * box.x;
    top += weight * box.y;
    right += weight * (box.x + box.w);
    bottom += weight * (box.y + box.h);
    weights += weight;
  }
  return {
    x: left / weights,
    y: top / weights,
    w: (right - left) / weights,
    h: (bottom - top) / weights,
  };
}
