import type { Size } from '../codecs/types.ts';
import type { BoxNeighbours, MakeIndex } from './box_index.ts';
import { type Box, byConfidence, sharedArea } from './boxes.ts';
import { logit } from './model.ts';
import type { Cluster, Proposal } from './proposals.ts';

/**
 * A box this close to a tile's inner border, as a share of its own side, counts as cut. The edges of the
 * model's boxes are no more exact than that.
 */
const borderMargin = 0.1;

/** A part of a face belongs to a box that shows more of the face if this share of the part lies in it. */
const coveredShare = 0.5;

/** A box more than this many times as large as a part is not taken for the whole of that face. */
const maxWholeToPart = 4;

/**
 * Two parts from two tiles are one face when this share of the smaller one is in both: tiles overlap, so its
 * parts do.
 */
const joinedShare = 0.2;

/** The smaller of two parts of one face has this share of the other's width and height at least. */
const leastPartShare = 0.2;

/**
 * Whether a box reaches a border of its tile beyond which the picture goes on. All in the pixels of the tiled
 * picture.
 */
export function isCut(box: Box, tile: Box, picture: Size): boolean {
  const dx = box.w * borderMargin;
  const dy = box.h * borderMargin;
  return (
    (tile.x > 0 && box.x < tile.x + dx) ||
    (tile.y > 0 && box.y < tile.y + dy) ||
    (tile.x + tile.w < picture.width && box.x + box.w > tile.x + tile.w - dx) ||
    (tile.y + tile.h < picture.height && box.y + box.h > tile.y + tile.h - dy)
  );
}

/** A part, or several in one box; `joined` once it has become part of another. */
interface Part extends Box {
  readonly detection: Proposal;
  joined: boolean;
}

/**
 * Counts a cut box with the whole face if a view has seen that, and joins two parts of one face that two
 * tiles show. A part that is left counts as a face: better to cover a face twice than to miss it.
 * @param whole clusters of faces that are not cut
 * @param count adds a part's logit to such a cluster
 * @returns the parts left, most confident first
 */
export function joinParts(
  detections: readonly Proposal[],
  whole: BoxNeighbours<Cluster>,
  count: (cluster: Cluster, part: Proposal) => void,
  makeIndex: MakeIndex,
): Proposal[] {
  const parts: Part[] = [];
  const index = makeIndex<Part>();
  const keep = (part: Part) => {
    parts.push(part);
    index.insert(part);
  };
  for (const detection of detections.filter(({ cut }) => cut).sort(byConfidence)) {
    const cluster = wholeOf(detection, whole);
    if (cluster) {
      count(cluster, detection);
      continue;
    }
    const other = index.near(detection, leastPartShare).find((part) => isOtherPart(part, detection));
    const box = other ? hull(other, detection) : detection;
    if (other) other.joined = true;
    const { x, y, w, h } = box;
    keep({ x, y, w, h, detection: other?.detection ?? detection, joined: false });
  }
  return parts
    .filter(({ joined }) => !joined)
    .map(({ x, y, w, h, detection }) => ({ ...detection, x, y, w, h }));
}

/** The face that a part belongs to, if a view has seen all of it. */
function wholeOf(part: Proposal, whole: BoxNeighbours<Cluster>): Cluster | undefined {
  const area = part.w * part.h;
  const value = logit(part.confidence);
  return whole.near(part, coveredShare).find((cluster) => {
    if (sharedArea(part, cluster) < area * coveredShare) return false;
    // A part may be more confident than the whole: then the box is the whole's, the confidence the part's.
    return Math.max(...cluster.logits.values()) >= value || cluster.w * cluster.h <= area * maxWholeToPart;
  });
}

function isOtherPart(other: Part, part: Proposal): boolean {
  const smaller = Math.min(part.w * part.h, other.w * other.h);
  return (
    !other.joined &&
    other.detection.pass !== part.pass &&
    part.w >= other.w * leastPartShare &&
    part.h >= other.h * leastPartShare &&
    sharedArea(part, other) >= smaller * joinedShare
  );
}

function hull(a: Box, b: Box): Box {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return { x, y, w: Math.max(a.x + a.w, b.x + b.w) - x, h: Math.max(a.y + a.h, b.y + b.h) - y };
}
