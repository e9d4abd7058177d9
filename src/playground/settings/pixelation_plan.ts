import { touchedBlocks } from '../../pixels/covered_blocks.ts';
import type { Mosaic } from '../../pixels/mosaic.ts';
import { type Coverage, RowSpans } from '../../pixels/row_spans.ts';
import { coversOf } from '../../readable/outline.ts';
import { hiddenAreas, isSpared } from '../../sanitize/hidden_areas.ts';
import { regionAreas } from '../../sanitize/mosaic_plan.ts';
import { MAX_REGIONS } from '../../vocabulary/vocabulary.ts';
import {
  type Box,
  bottom,
  fullBox,
  intersection,
  padded,
  right,
  type Size,
  type Target,
  toOutput,
  touchedPixels,
  wholePixels,
} from '../geometry.ts';
import { sparedArea } from './spared_areas.ts';
import { type Found, isFace, thingsOf } from './things.ts';

/**
 * Chooses the `pixelate` options so that exactly the chosen things are hidden. The service finds and hides
 * the faces itself, by its own rule and with its own second detection. A face to be left visible becomes an
 * area to spare (`except`), which does not change the blocks of others. A face whose box was changed by hand
 * is spared in the same way and sent as a region, as is a spot below the confidence that was added by hand;
 * both are filled like a drawn region, since a region's blocks are too fine for a face. Plates and text are
 * also left visible that way; if more of a kind are to be left than can be spared, those to be hidden are
 * sent as regions instead.
 */

/** A face's height is at most this many times its width, and its width this many times its height. */
const MAX_HEIGHT_TO_WIDTH = 1.6;
const MAX_WIDTH_TO_HEIGHT = 1.2;

/** How something is hidden: by the averages of blocks, or by one colour that is independent of the photo. */
export type Fill = 'mosaic' | 'solid';

/** The hidden part of a region's box: all of it, or the inscribed ellipse. */
export type Shape = 'rectangle' | 'ellipse';

/** A region to be hidden, and how. */
export interface HiddenRegion extends Box {
  readonly fill: Fill;
  /** If absent: a rectangle. */
  readonly shape?: Shape;
}

/** A detected face, or another detected thing. */
export interface Face extends Found {
  /** Whether it is to be hidden even if its confidence is too low. */
  readonly isAdded?: boolean;
  /** The hidden area in the frame, if a person has changed it; otherwise it is the box with its padding. */
  readonly area?: Box;
}

export interface PixelationChoices {
  /** Whether any faces are to be hidden, and how. */
  readonly faces: boolean;
  readonly faceFill: Fill;
  readonly detectedFaces: readonly Face[];
  /** The kinds hidden besides faces. */
  readonly kinds: readonly string[];
  /** Drawn regions in the frame. */
  readonly regions: readonly HiddenRegion[];
  /** Tight boxes in the frame that stay visible, besides the faces left visible. */
  readonly spared: readonly Box[];
  /** As in the service's ops. */
  readonly strength: number;
  readonly confidence: number;
  readonly padding: number;
}

/** How the plan differs from the settings. */
export type Notice = 'regions_dropped' | 'not_spared';

/** A pixelated area in whole output pixels, and the edge of its blocks in pixels. */
export interface PixelatedArea extends Box {
  readonly blockEdge: number;
}

export interface PixelationPlan {
  /** Values for `pixelate.faces`, `pixelate.regions` and `pixelate.except`. */
  readonly faces: boolean;
  readonly regions: readonly HiddenRegion[];
  readonly except: readonly Box[];
  /** The kinds that the service is to look for and hide besides faces. */
  readonly kinds: readonly string[];
  readonly notices: readonly Notice[];
  /** Number of faces sent as regions: spots below the confidence, and faces whose box was changed. */
  readonly facesAsRegions: number;
  /** How many of the latter the service is told to spare, so that only the changed box is hidden. */
  readonly facesMoved: number;
  /** Number of things besides faces that stay visible. */
  readonly thingsLeft: number;
  /** For the preview, what the service hides before its second detection: blocks, … */
  readonly areas: readonly PixelatedArea[];
  /** … which do not extend into these boxes, in whole output pixels: what stays visible, and … */
  readonly kept: readonly Box[];
  /** … areas covered by one colour. */
  readonly filled: readonly Box[];
}

/** The faces with at least this confidence. */
export const confidentFaces = (faces: readonly Face[], confidence: number) =>
  faces.filter((face) => isFace(face) && face.confidence >= confidence);

/**
 * The hidden area of a face, in the frame: its box with the padding, unless a person has changed it. The
 * boxes of other things already have their padding.
 */
export const areaOf = (face: Face, padding: number, frame: Size): Box =>
  face.area ?? ((isFace(face) && intersection(padded(face, padding), fullBox(frame))) || face);

/** The largest box that the face may have had before it was clipped to the frame. */
export function unclipped(face: Box, frame: Size): Box {
  const atLeft = face.x <= 0;
  const atTop = face.y <= 0;
  const atRight = right(face) >= frame.width;
  const atBottom = bottom(face) >= frame.height;
  const w = atLeft || atRight ? Math.max(face.w, face.h * MAX_WIDTH_TO_HEIGHT) : face.w;
  const h = atTop || atBottom ? Math.max(face.h, face.w * MAX_HEIGHT_TO_WIDTH) : face.h;
  const x = atLeft ? right(face) - w : face.x;
  const y = atTop ? bottom(face) - h : face.y;
  // Clipped on both sides: extended on both, since either may be the short one.
  return {
    x,
    y,
    w: atLeft && atRight ? right(face) - x + (w - face.w) : w,
    h: atTop && atBottom ? bottom(face) - y + (h - face.h) : h,
  };
}

/** A plan never shows its colour. */
const UNUSED_COLOUR = { red: 0, green: 0, blue: 0 };

/** @param frame size of the whole upright image */
export function planPixelation(choices: PixelationChoices, frame: Size, target: Target): PixelationPlan {
  const { output } = target;
  const { strength, padding, faceFill } = choices;
  const inOutput = (box: Box) => touchedPixels(toOutput(box, target), output);
  const shown = (choices.faces ? choices.detectedFaces.filter(isFace) : []).flatMap((face) => {
    const tight = toOutput(unclipped(face, frame), target);
    const area = touchedPixels(padded(tight, padding), output);
    return area ? [{ face, tight, area }] : [];
  });
  const added = shown.filter(({ face }) => face.confidence < choices.confidence && face.isAdded);
  const found = shown.filter(({ face }) => face.confidence >= choices.confidence);
  const left = found.filter(({ face }) => !face.hidden).map(({ face }) => face);
  // A face must not be spared for the sake of a box that would be one region too many.
  const moved = found.filter(({ face }) => face.hidden && face.area).slice(0, MAX_REGIONS);

  const things = thingsOf(choices.detectedFaces, choices.kinds).filter(inOutput);
  const thingsLeft = things.filter((thing) => !thing.hidden);

  const hidden = found.filter((one) => one.face.hidden && !moved.includes(one));
  // If its box was clipped, the service may compute another centre.
  const middles = [
    ...hidden.flatMap(({ face, tight }) => [toOutput(face, target), tight]),
    ...things.filter((thing) => thing.hidden).map((thing) => toOutput(thing, target)),
  ];
  const areasToSpare = (boxes: readonly Box[]) => {
    const areas = boxes.flatMap((box) => inOutput(box) ?? []);
    const spared = areas
      .flatMap((area) => sparedArea(area, middles) ?? [])
      .flatMap((area) => insidePixels(area) ?? []);
    return { areas, spared };
  };
  const ofMoved = areasToSpare(moved.map(({ face }) => face));
  const ofOthers = areasToSpare([...left, ...(choices.faces ? choices.spared : [])]);
  const drawn = choices.regions.flatMap((region) => {
    const box = inOutput(region);
    if (!box) return [];
    const { fill } = region;
    const whole = wholePixels(toOutput(region, target));
    // The service accepts no coordinates left of or above the picture, so where the crop cuts there, the
    // whole box is hidden.
    if (region.shape !== 'ellipse' || whole.x < 0 || whole.y < 0) return [{ ...box, fill }];
    return regionAreas([{ ...whole, shape: 'ellipse' }], output).map(() => ({
      ...whole,
      fill,
      shape: 'ellipse' as const,
    }));
  });
  const ofFaces = [
    ...moved.flatMap(({ face }) => inOutput(face.area!) ?? []),
    ...added.map(({ area }) => area),
  ];
  const wanted = [...ofFaces.map(filled), ...drawn];
  const coversIn = (chosen: readonly Face[]) =>
    coversOf(
      chosen.map((thing) => ({ ...toOutput(thing, target), outline: thing.outline })),
      output,
    ).flatMap((cover) => cover.flatMap((box) => touchedPixels(box, output) ?? []));

  const kinds: string[] = [];
  let room = MAX_REGIONS - ofMoved.spared.length - ofOthers.spared.length;
  for (const kind of choices.kinds) {
    const { length } = thingsOf(thingsLeft, [kind]);
    const covers = length > room ? coversIn(thingsOf(things, [kind]).filter((thing) => thing.hidden)) : [];
    if (length > room && wanted.length + covers.length <= MAX_REGIONS) wanted.push(...covers.map(filled));
    else {
      kinds.push(kind);
      room -= length;
    }
  }
  const ofThings = areasToSpare(thingsOf(thingsLeft, kinds));
  const except = [...ofMoved.spared, ...ofOthers.spared, ...ofThings.spared].slice(0, MAX_REGIONS);
  const areasLeft = [ofMoved, ofOthers, ofThings].reduce((sum, { areas }) => sum + areas.length, 0);
  const regions = wanted.slice(0, MAX_REGIONS);
  const isLeft = (thing: Face) =>
    kinds.includes(thing.kind!) ? isSpared({ except: [...except] }, toOutput(thing, target)) : !thing.hidden;
  const covered = things.filter((thing) => kinds.includes(thing.kind!) && !isLeft(thing));
  const preview = hiddenAreas(
    {
      strength,
      padding,
      faceFill,
      fill: 'mosaic',
      regions: [...regions, ...coversIn(covered).map(filled)],
      except: [...except],
    },
    UNUSED_COLOUR,
    // Of one that is left the box is where the service looks for its centre.
    found.map(({ face, tight }) => (face.hidden ? tight : toOutput(face, target))),
    [],
    output,
  ).hidden;
  return {
    faces: choices.faces,
    regions,
    except,
    kinds,
    notices: [
      ...(except.length < areasLeft ? (['not_spared'] as const) : []),
      ...(regions.length < wanted.length ? (['regions_dropped'] as const) : []),
    ],
    facesAsRegions: Math.min(ofFaces.length, MAX_REGIONS),
    facesMoved: ofMoved.spared.length,
    thingsLeft: thingsLeft.filter(isLeft).length,
    areas: preview.mosaics.flatMap((mosaic) => previewAreas(mosaic, output)),
    kept: boxesOf(preview.spared, output),
    filled: boxesOf(preview.filled, output),
  };
}

/** The drawn parts of a mosaic: rectangles, and the blocks of ellipses row by row. */
function previewAreas({ block, areas }: Mosaic, output: Size): PixelatedArea[] {
  return areas.flatMap((area) => {
    const { x, y, width, height, ellipse } = area;
    if (!ellipse) return [{ x, y, w: width, h: height, blockEdge: block }];
    return boxesOf(touchedBlocks({ block, areas: [area] }), output).map((blocks) => ({
      x: blocks.x * block,
      y: blocks.y * block,
      w: blocks.w * block,
      h: blocks.h * block,
      blockEdge: block,
    }));
  });
}

const filled = (area: Box): HiddenRegion => ({ ...area, fill: 'solid' });

/** The largest box of whole pixels inside a box; null if there is none. */
function insidePixels(box: Box): Box | null {
  const x = Math.ceil(box.x);
  const y = Math.ceil(box.y);
  const w = Math.floor(right(box)) - x;
  const h = Math.floor(bottom(box)) - y;
  return w > 0 && h > 0 ? { x, y, w, h } : null;
}

/** A coverage as boxes that do not overlap. */
function boxesOf(coverage: Coverage, { height }: Size): Box[] {
  const spans = new RowSpans(coverage);
  const boxes: Box[] = [];
  for (let y = 0; y < height; ) {
    const end = Math.min(height, spans.endOf(y));
    for (const { start, end: after } of spans.at(y))
      boxes.push({ x: start, y, w: after - start, h: end - y });
    y = end;
  }
  return boxes;
}
