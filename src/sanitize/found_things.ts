import type { Raster, Size } from '../codecs/types.ts';
import { indexed } from '../faces/box_index.ts';
import { type Box, clipBox, padBox, sharedArea } from '../faces/boxes.ts';
import type { DetectedThing, PurgeReport } from '../ops/responses.ts';
import type { SanitizeOps } from '../ops/schema.ts';
import { type Area, rectsInside } from '../pixels/ellipse.ts';
import { hide } from '../pixels/hide.ts';
import type { MapKind } from '../readable/model.ts';
import { cornersIn, coverOf, coversOf, padOutline } from '../readable/outline.ts';
import type { TimeSlice } from '../time_slice.ts';
import { answeredBox } from './below_confidence.ts';
import type { FoundThing, ThingSearch } from './find_things.ts';
import { type HiddenAreas, type HiddenRegion, isSpared } from './hidden_areas.ts';
import { MOSAIC_BYTES, regionAreas } from './mosaic_plan.ts';

/** A found thing with its padding; detectors of one's own give boxes alone. */
const padded = (thing: FoundThing): FoundThing =>
  thing.by.name === undefined ? padOutline(thing, thing.by.padding) : padBox(thing, thing.by.padding);

/** What is hidden of a picture for what was found in it. */
function regionsFor(things: readonly FoundThing[], picture: Size): HiddenRegion[] {
  const covers = coversOf(things.map(padded), picture);
  return things.flatMap(({ by, givesWay = false }, index) =>
    covers[index]!.map((box) => ({ ...box, fill: by.fill, ...(givesWay && { givesWay }) })),
  );
}

/** Found things as answers have them: padded, within the picture, most certain first. */
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

/** The members of the report that ops ask for: what was found and hidden, and how many of each kind. */
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
 * What is still found once things are hidden (`pixelate.verify`): it is filled, however they were. What is
 * found in a fill is its edge. A line may be found where words of it are spared: these stay visible.
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

/** What is less hidden than this is something else. */
const MOSTLY = 0.5;

/** How much of a thing some areas cover together; what two of them cover counts twice. */
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

/** What was found is hidden as regions are. */
export const withThings = (
  pixelate: SanitizeOps['pixelate'],
  things: readonly FoundThing[],
  output: Size,
) => ({
  ...pixelate,
  regions: [...pixelate.regions, ...regionsFor(things, output)],
});

/** The counts of the caller's own regions. */
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

/** Regions in blocks under which there may be text: the caller's, and those of text and plates. */
export function legibleRegions(counts: RegionCounts, things: readonly FoundThing[], output: Size) {
  // Searches for those come before the further detectors.
  const others = things.filter(({ by }) => by.name !== undefined);
  return withoutThings(counts, others, output).mosaicRegions;
}

type RegionCounts = Pick<HiddenAreas, 'mosaicRegions' | 'regionsFilled' | 'facesSpared'>;
