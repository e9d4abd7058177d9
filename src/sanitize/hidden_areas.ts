import type { Size } from '../codecs/types.ts';
import { type Box, clipBox, holdsCentre, padBox, sharedArea } from '../faces/boxes.ts';
import type { SanitizeOps } from '../ops/schema.ts';
import { blockEdge } from '../pixels/block_edges.ts';
import type { Area } from '../pixels/ellipse.ts';
import type { Colour } from '../pixels/fill.ts';
import { type Hidden, NOTHING_HIDDEN } from '../pixels/hide.ts';
import type { Mosaic } from '../pixels/mosaic.ts';
import { coversOf, outlineIn, padOutline } from '../readable/outline.ts';
import { coveredShare } from './covered_share.ts';
import type { Found } from './finder.ts';
import { coarserFaceBlock, foundFaceBlock, isFaceArea, joinMosaics, regionAreas } from './mosaic_plan.ts';
import { joinNeighbourGrids } from './neighbour_grids.ts';
import { inOutput, type Placement } from './placement.ts';

/** Who wants an area hidden. */
export type Owner = 'region' | 'face' | 'plate' | 'text' | 'detector' | 'second_look';

/** One thing that is hidden: a region, or something found or given. All in output pixels. */
export interface HiddenArea {
  readonly owner: Owner;
  readonly fill: 'mosaic' | 'solid';
  /** What is hidden, in whole pixels; blocks that reach beyond it are hidden whole. */
  readonly areas: readonly Area[];
  /** Edge of its blocks, if it is a mosaic. */
  readonly block: number;
  /** The part that is hidden even where something is to be spared. */
  readonly core: readonly Area[];
  /** What was found or given, tight. Absent: a region. */
  readonly found?: Found;
  /** Left visible: its centre lies in an area to be spared. Its neighbours' grids still fit it. */
  readonly isSpared?: boolean;
  /** Found in the second look where something is hidden already, so it is not counted again. */
  readonly isAgain?: boolean;
}

export type Pixelate = SanitizeOps['pixelate'];

/** What is covered to this share is covered for the most part. */
export const MOSTLY = 0.5;

/** Whether something stays visible: its centre lies in one of the areas to be spared. */
export const isSpared = ({ except }: Pick<Pixelate, 'except'>, box: Box): boolean =>
  except.some((area) => holdsCentre(area, box));

/** The colour of fills; in a grey output its luma (ITU-R BT.601-7, 2.5.1). */
export function fillColour({ pixelate, grayscale }: Pick<SanitizeOps, 'pixelate' | 'grayscale'>): Colour {
  const value = Number.parseInt(pixelate.colour.slice(1), 16);
  const [red, green, blue] = [value >> 16, (value >> 8) & 255, value & 255] as const;
  if (!grayscale) return { red, green, blue };
  const luma = Math.round(0.299 * red + 0.587 * green + 0.114 * blue);
  return { red: luma, green: luma, blue: luma };
}

/** The caller's regions that touch the output. */
export function regionsOf({ regions, fill, strength }: Pixelate, output: Size): HiddenArea[] {
  const block = blockEdge(strength, output);
  return regions.flatMap((region): HiddenArea[] => {
    const areas = regionAreas([region], output);
    return areas.length === 0
      ? []
      : [{ owner: 'region', fill: region.fill ?? fill, areas, block, core: areas }];
  });
}

/** The areas that the caller gives, as if they had been found; those outside the output are left out. */
export function givenAreas({ areas = [], padding, faceFill }: Pixelate, placement: Placement): Found[] {
  const { width: w, height: h } = placement.output;
  return areas.flatMap(({ kind = 'face', detector, corners, fill, confidence = 1, ...box }): Found[] => {
    const inPicture = corners ? box : clipBox(box, placement.upright);
    if (!inPicture) return [];
    const outline = corners && outlineIn(box, corners);
    const cover = inOutput({ ...inPicture, outline }, placement);
    if (sharedArea(cover, { x: 0, y: 0, w, h }) === 0) return [];
    if (isFaceArea({ kind, detector })) {
      const by = { padding, fill: fill ?? faceFill };
      return [{ ...padBox(cover, 1 / padding), kind, confidence, cover, by }];
    }
    const by = { ...(detector !== undefined && { name: detector }), padding: 1, fill: fill ?? 'solid' };
    return [{ ...cover, kind, confidence, by }];
  });
}

/** What was found, to be hidden as it asks. Spared faces stay in the list, other spared things don't. */
export const foundAreas = (found: readonly Found[], pixelate: Pixelate, output: Size): HiddenArea[] => [
  ...faceAreas(found.filter(isFace), 'face', foundFaceBlock, pixelate, output),
  ...thingAreas(
    found.filter((one) => !isFace(one) && !isSpared(pixelate, one)),
    undefined,
    pixelate,
    output,
  ),
];

/**
 * What the second look found: faces get coarser blocks. Everything else gets a solid fill, whatever hid it
 * before, and areas to be spared stay visible in it: a line of text may be found although words of it are
 * spared.
 */
export function areasFoundAgain(
  found: readonly Found[],
  hidden: readonly HiddenArea[],
  pixelate: Pixelate,
  output: Size,
): HiddenArea[] {
  const left = found.filter((one) => !isSpared(pixelate, one));
  const solid = left
    .filter((one) => !isFace(one))
    .map((one) => ({ ...one, by: { ...one.by, fill: 'solid' as const } }));
  const shown = hidden.filter((area) => !area.isSpared);
  const shareOf = coveredShare(
    shown.flatMap(({ areas }) => areas),
    output,
  );
  return [
    ...faceAreas(left.filter(isFace), 'second_look', coarserFaceBlock, pixelate, output),
    ...thingAreas(solid, 'second_look', pixelate, output).map((area) => ({
      ...area,
      core: [],
      isAgain: shareOf(area.found!) >= MOSTLY,
    })),
  ];
}

/** A face that the project's own networks found; detectors of others have words of their own. */
export const isFace = ({ kind, by }: Found): boolean => kind === 'face' && by.name === undefined;

function faceAreas(
  faces: readonly Found[],
  owner: Owner,
  blockOf: typeof foundFaceBlock,
  pixelate: Pixelate,
  output: Size,
): HiddenArea[] {
  const hidden = faces.flatMap((found): (HiddenArea & FaceGrid)[] => {
    const { fill, padding } = found.by;
    const [area] = regionAreas([found.cover ?? padBox(found, padding)], output);
    if (!area) return [];
    // A face that a crop cuts may be larger than the output.
    const visible = { ...found, w: Math.min(found.w, output.width), h: Math.min(found.h, output.height) };
    const block = blockOf(visible, pixelate.strength, output);
    const core = regionAreas([found], output);
    return [{ owner, fill, areas: [area], block, core, found, isSpared: isSpared(pixelate, found) }];
  });
  const mosaics = joinNeighbourGrids(
    hidden.map(({ block, areas }) => ({ block, areas })),
    output,
  );
  return hidden.map((area, index) => ({ ...area, block: mosaics[index]!.block }));
}

interface FaceGrid {
  readonly areas: readonly [Area];
}

/** Found things with their padding. Detectors of others give boxes without outlines. */
export const padded = (found: Found): Found =>
  found.by.name === undefined && !isFace(found)
    ? padOutline(found, found.by.padding)
    : padBox(found, found.by.padding);

/** @param owner absent: by what was found */
function thingAreas(
  things: readonly Found[],
  owner: Owner | undefined,
  { strength }: Pixelate,
  output: Size,
): HiddenArea[] {
  const covers = coversOf(things.map(padded), output);
  const block = blockEdge(strength, output);
  return things.flatMap((found, index) => {
    const areas = regionAreas(covers[index]!, output);
    // Only its bounds reach into the output.
    if (areas.length === 0) return [];
    const { fill, name } = found.by;
    const own = name !== undefined || !isReadable(found.kind) ? 'detector' : found.kind;
    return [{ owner: owner ?? own, fill, areas, block, core: areas, found }];
  });
}

const isReadable = (kind: string): kind is 'plate' | 'text' => kind === 'plate' || kind === 'text';

/** How the listed areas are hidden. @param sure what is certain whatever lies beneath a fill */
export function hiddenOf(
  list: readonly HiddenArea[],
  { except }: Pick<Pixelate, 'except'>,
  colour: Colour,
  output: Size,
  sure: Hidden['sure'] = NOTHING_HIDDEN.sure,
): Hidden {
  const hidden = list.filter((area) => !area.isSpared);
  const solid = hidden.filter(({ fill }) => fill === 'solid');
  const mosaic = hidden.filter(({ fill }) => fill === 'mosaic');
  const spared = regionAreas(except, output);
  const filled = solid.flatMap(({ areas }) => areas);
  const cores = (of: readonly HiddenArea[]) => of.flatMap(({ core }) => core);
  const mosaics = (isSecond: boolean): Mosaic[] =>
    joinMosaics(mosaic.filter(({ owner }) => (owner === 'second_look') === isSecond));
  return {
    mosaics: [...mosaics(false), ...mosaics(true)],
    filled: spared.length === 0 ? filled : { all: [{ of: filled, without: spared }, cores(solid)] },
    colour,
    sure,
    spared: spared.length === 0 ? [] : { of: spared, without: cores(mosaic) },
  };
}
