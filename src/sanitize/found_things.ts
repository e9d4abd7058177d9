import type { Raster, Size } from '../codecs/types.ts';
import { indexed } from '../faces/box_index.ts';
import { type Box, clipBox, padBox, sharedArea } from '../faces/boxes.ts';
import type { DetectedThing, PurgeReport } from '../ops/responses.ts';
import type { SanitizeOps } from '../ops/schema.ts';
import { type Area, rectsInside } from '../pixels/ellipse.ts';
import { hide } from '../pixels/hide.ts';
import type { MapKind } from '../readable/model.ts';
import { cornersIn, coverOf, coversOf, padOutline } from '../readable/outline.ts';
import type { TimeSlice } from '../scheduling/time_slice.ts';
import { answeredBox } from './below_confidence.ts';
import type { FoundThing, ThingSearch } from './find_things.ts';
import { type HiddenAreas, type HiddenRegion, isSpared } from './hidden_areas.ts';
import { MOSAIC_BYTES, regionAreas } from './mosaic_plan.ts';

/** A found thing with its padding. Callers' own detectors give boxes without outlines. */
const padded = (thing: FoundThing): FoundThing =>
  thing.by.name === undefined ? padOutline(thing, thing.by.padding) : padBox(thing, thing.by.padding);

/** The regions that hide what was found in a picture. */
function regionsFor(things: readonly FoundThing[], picture: Size): HiddenRegion[] {
  const covers = coversOf(things.map(padded), picture);
  return things.flatMap(({ by, givesWay = false }, index) =>
    covers[index]!.map((box) => ({ ...box, fill: by.fill, ...(givesWay && { givesWay }) })),
  );
}

/** Found things as answers list them: padded, clipped to the picture, the most confident first. */
export const answeredThings = (things: readonly FoundThing[], picture: Size): DetectedThing[] =>
  things
    .map(padded)
    .flatMap((thing) => {
      const box = clipBox(thing, picture);
      return box ? [{ ...thing, box }] : [];
    })
    .sort((a, b) => b.confidence - a.confidence)
    .map((thing) => ({
      ...(thing.by.name !== undefined && { detector: thing.by.name }),
      kind: thing.kind,
      ...answeredBox(thing.box),
      ...(thing.outline && { corners: cornersIn(thing).map(answeredPoint) }),
    }));

/** The members of the report that ops ask for: what was found and hidden, and how many plates and texts. */
export function thingsReport(
  { plates, text, detectors }: SanitizeOps['pixelate'],
  things: readonly FoundThing[],
  output: Size,
): Pick<PurgeReport, 'detected' | 'platesHidden' | 'textsHidden'> {
  const told = things.filter(({ isAgain }) => !isAgain);
  const count = (kind: MapKind) =>
    told.filter((thing) => thing.by.name === undefined && thing.kind === kind).length;
  return {
    ...(plates && { platesHidden: count('plate') }),
    ...(text && { textsHidden: count('text') }),
    ...((plates || text || detectors) && { detected: answeredThings(told, output) }),
  };
}

const answeredPoint = ({ x, y }: { readonly x: number; readonly y: number }) => ({
  x: Math.round(x * 10) / 10,
  y: Math.round(y * 10) / 10,
});

/**
 * The second look (`pixelate.verify`): what is still found once things are hidden. It gets a solid fill,
 * whatever hid it before. What is found inside a fill is the fill's own edge and left out. A line of text may
 * be found although words of it are spared: these stay visible.
 */
export async function rereadThings(
  prepared: Raster,
  { hidden, areas, filled }: Pick<HiddenAreas, 'hidden' | 'areas' | 'filled'>,
  {
    ops,
    searches,
  }: { readonly ops: Pick<SanitizeOps, 'pixelate'>; readonly searches: readonly ThingSearch[] },
  slice: TimeSlice,
): Promise<FoundThing[]> {
  const again = ops.pixelate.verify ? searches.flatMap(({ findAgain }) => findAgain ?? []) : [];
  const found: FoundThing[] = [];
  for (const find of again) {
    const pixelated = hide(prepared, hidden, MOSAIC_BYTES);
    if (pixelated === prepared) continue;
    found.push(...(await find(pixelated, slice)));
  }
  const [inFilled, inAreas] = [shareIn(filled, prepared), shareIn(areas, prepared)];
  return found
    .filter((thing) => !isSpared(ops.pixelate, thing) && inFilled(thing) < MOSTLY)
    .map((thing) => ({
      ...thing,
      by: { ...thing.by, fill: 'solid' },
      isAgain: inAreas(thing) >= MOSTLY,
      givesWay: true,
    }));
}

/** A found thing of which a smaller share is hidden is something new. */
const MOSTLY = 0.5;

/** The share of a thing that the areas cover; where two of them overlap, it counts twice. */
function shareIn(areas: readonly Area[], picture: Size): (thing: FoundThing) => number {
  const index = indexed<Box>();
  for (const { x, y, width, height } of areas.flatMap(rectsInside))
    index.insert({ x, y, w: width, h: height });
  return (thing) => {
    const parts = coverOf(thing, picture);
    const sharedOf = (part: Box) =>
      index.near(part, Number.MIN_VALUE).reduce((sum, area) => sum + sharedArea(part, area), 0);
    const shared = parts.reduce((sum, part) => sum + sharedOf(part), 0);
    return shared / parts.reduce((sum, { w, h }) => sum + w * h, 0);
  };
}

/** The ops with regions added for what was found. */
export const withThings = (
  pixelate: SanitizeOps['pixelate'],
  things: readonly FoundThing[],
  output: Size,
) => ({
  ...pixelate,
  regions: [...pixelate.regions, ...regionsFor(things, output)],
});

/** The counts without the regions that were added for found things: those of the caller's own. */
export function withoutThings(
  counts: RegionCounts,
  things: readonly FoundThing[],
  output: Size,
): RegionCounts {
  const regions = regionsFor(things, output);
  const touching = (fill: FoundThing['by']['fill']) =>
    regionAreas(
      regions.filter((region) => region.fill === fill),
      output,
    ).length;
  const { mosaicRegions, regionsFilled, facesSpared } = counts;
  return {
    mosaicRegions: mosaicRegions.slice(0, mosaicRegions.length - touching('mosaic')),
    regionsFilled: regionsFilled - touching('solid'),
    facesSpared,
  };
}

/** Regions that become blocks and may have text beneath: the caller's, and those of text and plates. */
export function legibleRegions(counts: RegionCounts, things: readonly FoundThing[], output: Size) {
  // Text and plates are searched for before the further detectors, so the others' regions come last.
  const others = things.filter(({ by }) => by.name !== undefined);
  return withoutThings(counts, others, output).mosaicRegions;
}

type RegionCounts = Pick<HiddenAreas, 'mosaicRegions' | 'regionsFilled' | 'facesSpared'>;
