import type { Size } from '../codecs/types.ts';
import { type Box, byConfidence, type ScoredBox, sharedArea, suppress } from './boxes.ts';
import { sameFace } from './model.ts';

/** A face as one pass detected it, in coordinates common to all passes. */
export interface PassDetection extends ScoredBox {
  /** Which pass: two parts of one face come from two passes. */
  readonly pass: number;
  /** It ends where the tile ends but the picture goes on: perhaps only part of a face. */
  readonly cut: boolean;
}

/**
 * A box this close to a tile's inner border, as a share of its own side, counts as cut: the model's edges are
 * that exact.
 */
const borderMargin = 0.1;

/** A part of a face counts once when this share of it lies in a box that shows more of the face. */
const coveredShare = 0.5;

/** A box is part of a more confident one when this share of it lies inside. */
const insideShare = 0.8;

/** A box more than this many times as large as a part of a face is not taken for the rest of it. */
const maxWholeToPart = 4;

/**
 * Two parts from two tiles are one face when this share of the smaller one is in both: tiles overlap, so its
 * parts do.
 */
const joinedShare = 0.2;

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

/**
 * One box a face from all detections: non-maximum suppression over the uncut boxes; then every cut box is
 * counted with the whole face where that was detected, joined with the other part where two tiles show one
 * each, and kept by itself otherwise (a face is rather covered twice than missed).
 * @returns most confident first
 */
export function mergeDetections(detections: readonly PassDetection[]): ScoredBox[] {
  const faces = suppress(
    detections.filter(({ cut }) => !cut),
    sameFace,
  );
  const parts: PassDetection[] = [];
  for (const part of detections.filter(({ cut }) => cut).sort(byConfidence)) {
    if (!countWithWhole(part, faces) && !joinOther(part, parts)) parts.push(part);
  }
  return withoutCovered(suppress([...faces, ...parts], sameFace)).map(({ x, y, w, h, confidence }) => ({
    x,
    y,
    w,
    h,
    confidence,
  }));
}

/**
 * Another scale may show part of a face as a face. What a more confident box covers anyway is not counted
 * again.
 */
function withoutCovered<B extends ScoredBox>(boxes: readonly B[]): B[] {
  const kept: B[] = [];
  for (const box of boxes) {
    if (kept.every((other) => sharedArea(other, box) < box.w * box.h * insideShare)) kept.push(box);
  }
  return kept;
}

function countWithWhole(part: PassDetection, faces: PassDetection[]): boolean {
  const area = part.w * part.h;
  for (const [index, face] of faces.entries()) {
    if (sharedArea(part, face) < area * coveredShare) continue;
    if (face.confidence >= part.confidence) return true;
    // The part is more confident than the whole: the place of the whole, the confidence of the part.
    if (face.w * face.h <= area * maxWholeToPart) {
      faces[index] = { ...face, confidence: part.confidence };
      return true;
    }
  }
  return false;
}

function joinOther(part: PassDetection, parts: PassDetection[]): boolean {
  for (const [index, other] of parts.entries()) {
    const smaller = Math.min(part.w * part.h, other.w * other.h);
    if (other.pass === part.pass || sharedArea(part, other) < smaller * joinedShare) continue;
    parts[index] = { ...other, ...hull(part, other) };
    return true;
  }
  return false;
}

function hull(a: Box, b: Box): Box {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return { x, y, w: Math.max(a.x + a.w, b.x + b.w) - x, h: Math.max(a.y + a.h, b.y + b.h) - y };
}
