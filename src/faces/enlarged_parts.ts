import type { Size } from '../codecs/types.ts';
import { type Box, holdsCentre, scaleBox } from './boxes.ts';
import { passSide, type Tiling } from './detection_plan.ts';
import type { FusedBox } from './fusion.ts';
import { inputSide } from './model.ts';
import { isCut } from './parts.ts';

/** Larger faces, in pixels of the enlarged picture, are left to views that do not enlarge them. */
export const mostSideEnlarged = 96;

/**
 * Boxes with a lower logit, or longer sides in the enlarged picture, are not looked at enlarged
 * (docs/faces.md: how it was chosen).
 */
const worthEnlarging = { from: -2.5, most: 80 };

/**
 * A box is shown with its surroundings: a square of so many of its sides, and of so many enlarged pixels at
 * least (docs/faces.md: how it was chosen).
 */
const surroundings = { sides: 4, least: 160 };

/** Two parts become one if that has at most so many times their pixels: a face in both is then seen once. */
const joinedPixels = 1.1;

/** What is shown of an enlarged picture. */
export interface EnlargedParts {
  /** Of the whole picture, enlarged. */
  readonly size: Size;
  /** In its whole pixels; sides are multiples of 32, and may reach over the right and lower edges. */
  readonly parts: readonly Box[];
  /** They are tiles that together cover the picture. */
  readonly isAll: boolean;
}

/**
 * The parts of an enlarged picture around small boxes, sure or not. Elsewhere other views see nothing, or
 * only large faces; enlarged views add little there (docs/faces.md). Where parts would take no fewer pixels
 * than the tiles, they are the tiles.
 * @param found in pixels of the raster, most confident first
 * @param tiling the tiles, at most 640 pixels wide and high
 * @param raster its width
 */
export function enlargedParts(found: readonly FusedBox[], tiling: Tiling, raster: number): EnlargedParts {
  const { size, tile, lefts, tops } = tiling;
  const scale = size.width / raster;
  const most = lefts.length * tops.length * tile.width * tile.height;
  const parts: Box[] = [];
  let pixels = 0;
  for (const { logit, ...box } of found) {
    const side = Math.max(box.w, box.h) * scale;
    if (logit < worthEnlarging.from || side > worthEnlarging.most) continue;
    let part = partAround(scaleBox(box, scale, scale), size);
    for (let other = joinable(parts, part, size); other; other = joinable(parts, part, size)) {
      parts.splice(parts.indexOf(other), 1);
      pixels -= area(other);
      part = hull(other, part, size);
    }
    parts.push(part);
    pixels += area(part);
    if (pixels >= most) return { size, parts: tilesOf(tiling), isAll: true };
  }
  return { size, parts, isAll: false };
}

/** Whether one of the parts shows all of a box. All in pixels of the enlarged picture. */
export const showsUncut = (parts: readonly Box[], box: Box, size: Size): boolean =>
  parts.some((part) => holdsCentre(part, box) && !isCut(box, part, size));

const area = ({ w, h }: Box): number => w * h;

function partAround({ x, y, w, h }: Box, size: Size): Box {
  const half = Math.max(surroundings.least, surroundings.sides * Math.max(w, h)) / 2;
  // A model may see a box beyond the picture.
  const centreX = Math.max(0, Math.min(size.width, x + w / 2));
  const centreY = Math.max(0, Math.min(size.height, y + h / 2));
  return partOf(centreX - half, centreY - half, centreX + half, centreY + half, size);
}

/** The part that has these edges in it, as far as they lie in the picture. */
function partOf(left: number, top: number, right: number, bottom: number, size: Size): Box {
  const [x, w] = span(left, right, size.width);
  const [y, h] = span(top, bottom, size.height);
  return { x, y, w, h };
}

/** Where a part begins, and its length. It reaches over the end only if it is longer than the picture. */
function span(from: number, to: number, length: number): [number, number] {
  const [first, last] = [Math.max(0, from), Math.min(length, to)];
  const side = inputSide(last - first);
  return [Math.max(0, Math.min(Math.round(first), length - side)), side];
}

function hull(a: Box, b: Box, size: Size): Box {
  const [right, bottom] = [Math.max(a.x + a.w, b.x + b.w), Math.max(a.y + a.h, b.y + b.h)];
  return partOf(Math.min(a.x, b.x), Math.min(a.y, b.y), right, bottom, size);
}

function joinable(parts: readonly Box[], part: Box, size: Size): Box | undefined {
  return parts.find((other) => {
    const both = hull(other, part, size);
    const fits = both.w <= passSide && both.h <= passSide;
    return fits && area(both) <= joinedPixels * (area(other) + area(part));
  });
}

const tilesOf = ({ tile, lefts, tops }: Tiling): Box[] =>
  tops.flatMap((y) => lefts.map((x) => ({ x, y, w: tile.width, h: tile.height })));
