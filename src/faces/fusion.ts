import { indexed, type MakeIndex } from './box_index.ts';
import { type Box, byConfidence, overlap, type ScoredBox, sharedArea } from './boxes.ts';
import { calibrated, leastLogit, logit, sameFace } from './model.ts';
import { joinParts } from './parts.ts';
import { type Cluster, judges, type Proposal, type View } from './proposals.ts';

/** A face as all views together see it. */
export interface FusedBox extends Box {
  /** Mean of the views' logits, less a penalty for small faces. */
  readonly logit: number;
  /** Degrees by which the picture was turned clockwise when the face was seen. Absent: none. */
  readonly turned?: number;
}

/** Boxes of several views that overlap this much are one face (docs/faces.md: how it was chosen). */
const sameCluster = 0.35;

/** A box is part of a more confident one if this share of its area lies inside. */
const insideShare = 0.8;

/**
 * Wrong boxes are small more often than faces are. So each halving of the side below `smallFace`, in pixels
 * of the finest view, costs `perHalving` of the logit (docs/faces.md: how it was chosen).
 */
const smallFace = 20;
const perHalving = 1.5;

/**
 * Upright views place the box of a tilted face beside it. It moves this share of the way towards the box of a
 * tilted view whose logit is above `from`, and less than `lessBy` below its own (docs/faces.md: how it was
 * chosen).
 */
const towardsTilted = { share: 0.4, from: -1, lessBy: 1.5 };

/**
 * One box per face: proposals of all views are clustered, most confident first. A cluster's logit is the
 * weighted mean over the views that judge its size; a view that sees nothing there counts with the least
 * logit. Its box is the mean of the views' boxes.
 * @param views all that were shown. A view without a box counts against a face, unless it is `partial` or
 * `onlyRaises`, or did not show it
 * @returns most confident first
 */
export function fuse(
  detections: readonly Proposal[],
  views: readonly View[],
  makeIndex: MakeIndex = indexed,
): FusedBox[] {
  const boxes = gather(detections, makeIndex).map((cluster) => fusedBox(cluster, views));
  return withoutCovered(boxes, makeIndex);
}

/** Of boxes that overlap or contain each other, keeps the most confident. @returns most confident first */
export function withoutCovered(boxes: readonly FusedBox[], makeIndex: MakeIndex = indexed): FusedBox[] {
  const kept: FusedBox[] = [];
  const index = makeIndex<FusedBox>();
  for (const box of boxes.toSorted((a, b) => b.logit - a.logit)) {
    const area = box.w * box.h * insideShare;
    const covers = (other: Box) => overlap(other, box) > sameFace || sharedArea(other, box) >= area;
    // A box that covers this one in either sense is at least nearly half as wide and half as high.
    if (index.near(box, sameFace).some(covers)) continue;
    kept.push(box);
    index.insert(box);
  }
  return kept;
}

/** @param tilted the boxes of tilted views, of which the surest that shows this face moves its box */
export function alignTilted(box: FusedBox, tilted: readonly FusedBox[]): FusedBox {
  const { share, from, lessBy } = towardsTilted;
  const least = Math.max(from, box.logit - lessBy);
  let surest: FusedBox | undefined;
  for (const other of tilted)
    if (other.logit > (surest?.logit ?? least) && overlap(other, box) > sameCluster) surest = other;
  if (!surest) return box;
  const between = (side: keyof Box) => box[side] + (surest[side] - box[side]) * share;
  return { ...box, x: between('x'), y: between('y'), w: between('w'), h: between('h') };
}

/** The box with its confidence, 0 to 1, in place of its logit. */
export const confident = ({ x, y, w, h, logit: value }: FusedBox): ScoredBox => ({
  x,
  y,
  w,
  h,
  confidence: calibrated(value),
});

function gather(detections: readonly Proposal[], makeIndex: MakeIndex): Cluster[] {
  const clusters: Cluster[] = [];
  const index = makeIndex<Cluster>();
  const open = (seed: Proposal) => {
    const { x, y, w, h } = seed;
    const cluster = { x, y, w, h, logits: new Map<View, number>(), members: [] };
    clusters.push(cluster);
    index.insert(cluster);
    add(cluster, seed);
  };
  for (const detection of detections.filter(({ cut }) => !cut).sort(byConfidence)) {
    let best: Cluster | undefined;
    let most = sameCluster;
    for (const cluster of index.near(detection, sameCluster)) {
      const shared = overlap(cluster, detection);
      if (shared >= most) [best, most] = [cluster, shared];
    }
    if (best) add(best, detection);
    else open(detection);
  }
  // Parts of faces come last: they count with the whole face if a view has seen that.
  for (const part of joinParts(detections, index, add, makeIndex)) open(part);
  return clusters;
}

function add(cluster: Cluster, detection: Proposal): void {
  const { view, cut } = detection;
  const value = logit(detection.confidence);
  cluster.logits.set(view, Math.max(value, cluster.logits.get(view) ?? leastLogit));
  if (!cut && judges(view, Math.max(detection.w, detection.h))) cluster.members.push(detection);
}

function fusedBox(cluster: Cluster, views: readonly View[]): FusedBox {
  const box = meanBox(cluster);
  const side = Math.max(box.w, box.h);
  const hasSay = (view: View) =>
    cluster.logits.has(view) || !(view.partial || view.onlyRaises || view.shows?.(box) === false);
  const judging = views.filter((view) => judges(view, side) && hasSay(view));
  const counted = judging.length > 0 ? judging : [...cluster.logits.keys()];
  const finest = Math.max(...counted.map(({ scale }) => scale));
  const halvings = Math.min(0, Math.log2((side * Math.min(1, finest)) / smallFace));
  const fully = counted.filter(({ onlyRaises }) => !onlyRaises);
  const mean = meanLogit(cluster, counted);
  const raised = fully.length > 0 ? Math.max(mean, meanLogit(cluster, fully)) : mean;
  return { ...box, logit: raised + perHalving * halvings };
}

function meanLogit({ logits }: Cluster, views: readonly View[]): number {
  let [sum, weights] = [0, 0];
  for (const view of views) {
    sum += view.weight * (logits.get(view) ?? leastLogit);
    weights += view.weight;
  }
  return sum / weights;
}

/** The mean of the boxes of whole faces, by weight and confidence; without any, the cluster's first box. */
function meanBox({ x, y, w, h, members }: Cluster): Box {
  if (members.length === 0) return { x, y, w, h };
  let [left, top, right, bottom, weights] = [0, 0, 0, 0, 0];
  for (const box of members) {
    const weight = box.confidence * box.view.weight;
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
