import type { Size } from '../codecs/types.ts';
import type { Region, SanitizeOps } from '../ops/schema.ts';
import { blockEdge, coarsestReadOnce } from '../pixels/block_edges.ts';
import { type Area, isEmpty } from '../pixels/ellipse.ts';
import type { Mosaic } from '../pixels/mosaic.ts';
import { touchedPixels } from '../pixels/rect.ts';
import { coarsestJoined, finestShare } from './neighbour_grids.ts';

/** A face in output pixels, tight as the detector gave it. */
export interface FaceBox {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/**
 * The most blocks across the longer side of a face: a length of 3 blocks touches at most 4 blocks of a grid
 * that it is not aligned with. Coarser blocks hide hardly more of who it is (docs/faces.md has the
 * measurement).
 */
const BLOCKS_ACROSS_FACE = 3;

/**
 * The same where blocks so coarse would need a second read of the source: at most 8 × 8 blocks cover a face.
 */
const BLOCKS_ACROSS_CLOSE_UP = 7;

/**
 * The most bytes of rows that wait until their block is complete; for coarser mosaics the source is read
 * twice.
 */
export const MOSAIC_BYTES = 8 * 1024 * 1024;

/** Whether anything may be hidden at all. */
export const hidesAnything = ({
  faces,
  areas = [],
  regions,
  plates,
  text,
  detectors = {},
}: SanitizeOps['pixelate']): boolean =>
  faces ||
  Boolean(plates || text) ||
  regions.length + areas.length > 0 ||
  Object.values(detectors).some((rule) => rule !== false);

/** Whether anything may be filled. */
export function fillsAnything({
  faces,
  faceFill,
  areas = [],
  regions,
  fill,
  plates,
  text,
  detectors = {},
}: SanitizeOps['pixelate']): boolean {
  const isSolid = (rule: typeof plates) =>
    rule === true || (typeof rule === 'object' && rule.fill === 'solid');
  return (
    // Faces that the second look finds among given areas are filled, too.
    ((faces || areas.length > 0) && faceFill === 'solid') ||
    regions.some((region) => (region.fill ?? fill) === 'solid') ||
    areas.some((area) => area.fill === 'solid' || (area.fill === undefined && !isFaceArea(area))) ||
    // What the second look finds of text and plates is filled, however the first filled it.
    Boolean(plates || text) ||
    Object.values(detectors).some(isSolid)
  );
}

/** Whether a given area is a face as the project's own networks find it. */
export const isFaceArea = ({
  kind = 'face',
  detector,
}: Pick<NonNullable<SanitizeOps['pixelate']['areas']>[number], 'kind' | 'detector'>): boolean =>
  kind === 'face' && detector === undefined;

/** The edges of the finest and the coarsest blocks that are possible. */
export function blockEdges(pixelate: SanitizeOps['pixelate'], output: Size) {
  const finest = blockEdge(pixelate.strength, output);
  return { finest, coarsest: pixelate.faces || pixelate.areas ? coarsestBlock(pixelate, output) : finest };
}

/** The pixels that each region touches; regions wholly outside the image are left out. */
export function regionAreas(
  regions: readonly (FaceBox & { readonly shape?: Region['shape'] })[],
  output: Size,
): Area[] {
  return regions.flatMap(({ x, y, w, h, shape }) => {
    const box = { x, y, width: w, height: h };
    const touched = touchedPixels(box, output);
    if (!touched || shape !== 'ellipse') return touched ?? [];
    const area = { ...touched, ellipse: box };
    return isEmpty(area) ? [] : area;
  });
}

/**
 * How many times coarser than usual a face's own blocks are at a strength. The blocks of a close-up follow
 * from its size; above LAST_USUAL_STRENGTH they follow from the strength, too, until at 12 one block is as
 * long as the face.
 */
export const coarseness = (strength: number): number => Math.max(1, strength / LAST_USUAL_STRENGTH);
const LAST_USUAL_STRENGTH = 4;

/** The edge of the blocks over one face. @param times how many times coarser than usual, 1 or more */
export function faceBlock(face: FaceBox, leastBlock: number, output: Size, times = 1): number {
  const readOnce = Math.floor(coarsestReadOnce(output, MOSAIC_BYTES) / finestShare) * finestShare;
  const longer = times * Math.max(face.w, face.h);
  const wanted = Math.min(Math.ceil(longer / BLOCKS_ACROSS_FACE), readOnce);
  return Math.max(leastBlock, Math.ceil(longer / BLOCKS_ACROSS_CLOSE_UP), wanted);
}

/** The edge of the blocks over a face from the first detection. */
export const foundFaceBlock = (face: FaceBox, strength: number, output: Size): number =>
  faceBlock(face, blockEdge(strength, output), output, coarseness(strength));

/**
 * The edge of the blocks over a face that the second detection still finds: that of twice the strength or
 * twice that of the face's blocks, whichever is coarser. Twice the strength alone hardly coarsens a close-up,
 * whose blocks follow from its size: of 682 faces, 24 were found again with it and 7 with this rule, when a
 * face had 7 blocks.
 */
export function coarserFaceBlock(face: FaceBox, strength: number, output: Size): number {
  return Math.max(blockEdge(strength * 2, output), 2 * foundFaceBlock(face, strength, output));
}

/**
 * The edge of the coarsest blocks that a face as large as the output may get, including the second detection
 * and neighbours.
 */
export function coarsestBlock({ strength, verify }: SanitizeOps['pixelate'], output: Size): number {
  const face = { x: 0, y: 0, w: output.width, h: output.height };
  const edge = verify ? coarserFaceBlock : foundFaceBlock;
  return coarsestJoined(edge(face, strength, output));
}

/** Joins mosaics of the same block size, since their blocks coincide. */
export function joinMosaics(mosaics: readonly Mosaic[]): Mosaic[] {
  const byBlock = new Map<number, Mosaic['areas'][number][]>();
  for (const { block, areas } of mosaics) byBlock.set(block, [...(byBlock.get(block) ?? []), ...areas]);
  return [...byBlock].map(([block, areas]) => ({ block, areas }));
}
