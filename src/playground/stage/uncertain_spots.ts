import { rectsInside } from '../../pixels/ellipse.ts';
import { LISTED_DISTANCE, MAX_LISTED } from '../../vocabulary/vocabulary.ts';
import { type Box, intersection, padded } from '../geometry.ts';
import { confidentFaces, type Face, type HiddenRegion } from '../settings/pixelation_plan.ts';
import { isFace } from '../settings/things.ts';

/**
 * Possible faces slightly below the confidence: spots that were added by hand, and the most confident ones
 * that do not overlap a face or a drawn region.
 * @param faces tight boxes in the frame
 * @returns in the order of `faces`
 */
export function uncertainSpots(
  faces: readonly Face[],
  regions: readonly (Box & Pick<HiddenRegion, 'shape'>)[],
  { confidence, padding }: { readonly confidence: number; readonly padding: number },
): Face[] {
  const taken = [
    ...confidentFaces(faces, confidence).map((face) => padded(face, padding)),
    ...regions.flatMap(hiddenOf),
  ];
  const below = faces.filter((face) => isFace(face) && face.confidence < confidence);
  const near = below
    .filter((spot) => !spot.isAdded && spot.confidence >= confidence - LISTED_DISTANCE)
    .filter((spot) => taken.every((area) => intersection(area, spot) === null))
    .toSorted((a, b) => b.confidence - a.confidence);
  const added = below.filter((spot) => spot.isAdded);
  const shown = new Set([...added, ...near.slice(0, Math.max(0, MAX_LISTED - added.length))]);
  return faces.filter((face) => shown.has(face));
}

/** The part that a region certainly hides. */
function hiddenOf({ x, y, w, h, shape }: Parameters<typeof uncertainSpots>[1][number]): Box[] {
  const box = { x, y, width: w, height: h };
  const rects = rectsInside(shape === 'ellipse' ? { ...box, ellipse: box } : box);
  return rects.map(({ x: left, y: top, width, height }) => ({ x: left, y: top, w: width, h: height }));
}
