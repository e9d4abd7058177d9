import { blockEdge } from '../pixels/block_edges.ts';
import { hiddenAreas } from '../sanitize/hidden_areas.ts';
import { faceBlock, leastFaceBlock } from '../sanitize/mosaic_plan.ts';
import {
  type Box,
  bottom,
  padded,
  right,
  type Size,
  type Target,
  toOutput,
  touchedPixels,
} from './geometry.ts';

/**
 * Chooses the `pixelate` options so that exactly the chosen things are hidden, and no chosen face is hidden
 * less well than the service would hide it.
 *
 * While every detected face is to be hidden, the service finds and hides the faces itself (`pixelate.faces`),
 * by its own rule and with its own second look. Once a face is left out this is not possible, so the chosen
 * faces are sent as regions. The service does not know that these are faces, so the page applies the rule for
 * faces itself:
 *
 * 1. Area: the tight box grown by `padding`. Boxes come clipped to the image, so a face at its border may be
 *    larger than its box. The clipped side is then taken to be as long as it can be for a face of the other
 *    side's length.
 * 2. Block: the service's for this face as far as the maximum strength goes, a seventh of its longer side at
 *    least. All regions share one block size: the strength is raised to what the largest chosen face needs.
 * 3. Second look: faces that the service still finds after pixelating get twice the strength. It takes no
 *    second look at regions, so the page doubles the strength in advance, up to the maximum.
 * 4. Spots below the confidence that were added by hand are sent as regions in either case, by the rules for
 *    chosen faces.
 * 5. Where even the maximum strength is too fine (a face that fills the image), or where there are more
 *    chosen faces than the service takes regions, the service hides all faces after all. More is hidden than
 *    was asked for, never less, and a notice says so before the call.
 */

/** The service's limits on `pixelate.regions` and `pixelate.strength`. */
export const MAX_REGIONS = 200;
export const MAX_STRENGTH = 12;
/** The service's second look multiplies the strength by this. */
const SECOND_LOOK_FACTOR = 2;
/** A face's height is at most this many times its width, and its width this many times its height. */
const MAX_HEIGHT_TO_WIDTH = 1.6;
const MAX_WIDTH_TO_HEIGHT = 1.2;

/** A detected face: its tight box in the frame, clipped to it. */
export interface Face extends Box {
  /** 0 to 1 */
  readonly confidence: number;
  /** Whether it is to be hidden. */
  readonly hidden: boolean;
  /** Whether it is to be hidden even where its confidence is below the one asked for. */
  readonly isAdded?: boolean;
}

export interface PixelationChoices {
  /** Whether any faces are to be hidden. */
  readonly faces: boolean;
  readonly detectedFaces: readonly Face[];
  /** Drawn regions in the frame. */
  readonly regions: readonly Box[];
  /** As in the service's ops. */
  readonly strength: number;
  readonly confidence: number;
  readonly padding: number;
}

/** How the plan differs from the settings. */
export type Notice = 'strength_raised' | 'all_faces_hidden' | 'regions_dropped' | 'only_chosen_faces';

/** A pixelated area in whole output pixels, and the edge of its blocks in pixels. */
export interface PixelatedArea extends Box {
  readonly blockEdge: number;
}

export interface PixelationPlan {
  /** Values for `pixelate.faces`, `pixelate.strength` and `pixelate.regions`. */
  readonly faces: boolean;
  readonly strength: number;
  readonly regions: readonly Box[];
  readonly notices: readonly Notice[];
  /** Faces sent as regions, and faces left as they are. */
  readonly chosenFaces: number;
  readonly leftFaces: number;
  /** Everything that is known to be hidden, faces included, for the preview. */
  readonly areas: readonly PixelatedArea[];
}

/** The faces of at least this confidence. */
export const confidentFaces = (faces: readonly Face[], confidence: number) =>
  faces.filter((face) => face.confidence >= confidence);

/** The least strength, from `start` up, whose blocks have at least this edge; undefined if there is none. */
export function leastStrengthFor(edge: number, start: number, output: Size): number | undefined {
  for (let strength = start; strength <= MAX_STRENGTH; strength++) {
    if (blockEdge(strength, output) >= edge) return strength;
  }
  return undefined;
}

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
  // Clipped on both sides: grown on both, since either may be the short one.
  return {
    x,
    y,
    w: atLeft && atRight ? right(face) - x + (w - face.w) : w,
    h: atTop && atBottom ? bottom(face) - y + (h - face.h) : h,
  };
}

/** Edge of the blocks over a chosen face. */
const chosenFaceBlock = (face: Box, output: Size): number =>
  Math.max(leastFaceBlock(face), Math.min(faceBlock(face, 0, output), blockEdge(MAX_STRENGTH, output)));

/** Nothing is filled in a plan of mosaics. */
const UNUSED_COLOUR = { red: 0, green: 0, blue: 0 };

/** What the service hides before its second look. @param faces tight, in the output */
function blocksOver(
  { strength, padding }: Pick<PixelationChoices, 'strength' | 'padding'>,
  regions: readonly Box[],
  faces: readonly Box[],
  output: Size,
): PixelatedArea[] {
  const asked = { strength, padding, regions: [...regions], except: [] };
  const hows = { fill: 'mosaic', faceFill: 'mosaic' } as const;
  const { hidden } = hiddenAreas({ ...asked, ...hows }, UNUSED_COLOUR, faces, [], output);
  return hidden.mosaics.flatMap((mosaic) =>
    mosaic.areas.map(({ x, y, width, height }) => ({ x, y, w: width, h: height, blockEdge: mosaic.block })),
  );
}

/** @param frame size of the whole upright image */
export function planPixelation(choices: PixelationChoices, frame: Size, target: Target): PixelationPlan {
  const { output } = target;
  const drawn = choices.regions.flatMap((box) => touchedPixels(toOutput(box, target), output) ?? []);
  const faces = (choices.faces ? choices.detectedFaces : []).flatMap((face) => {
    const isAdded = face.confidence < choices.confidence;
    if (isAdded && !face.isAdded) return [];
    const tight = toOutput(unclipped(face, frame), target);
    return {
      hidden: isAdded || face.hidden,
      isAdded,
      tight,
      area: touchedPixels(padded(tight, choices.padding), output),
    };
  });
  const visible = faces.flatMap(({ area, ...rest }) => (area ? [{ ...rest, area }] : []));
  const chosen = visible.filter(({ hidden }) => hidden);
  const added = chosen.filter(({ isAdded }) => isAdded);

  const isAnyLeftOut = visible.some(({ hidden }) => !hidden);
  const doubled = Math.min(MAX_STRENGTH, choices.strength * SECOND_LOOK_FACTOR);
  /** The strength that hides these as regions; undefined where none is enough. */
  const strengthFor = (sent: typeof chosen) => {
    const neededEdge = Math.max(0, ...sent.map(({ tight }) => chosenFaceBlock(tight, output)));
    return leastStrengthFor(neededEdge, sent.length > 0 ? doubled : choices.strength, output);
  };
  const strength = strengthFor(chosen);
  const isImpossible = strength === undefined || chosen.length > MAX_REGIONS;
  const isLeftToService = choices.faces && (!isAnyLeftOut || isImpossible);

  const { padding } = choices;
  if (isLeftToService) {
    const wanted = [...added.map(({ area }) => area), ...drawn];
    const regions = wanted.slice(0, MAX_REGIONS);
    const used = strengthFor(added) ?? MAX_STRENGTH;
    const notices: Notice[] = [
      ...(isAnyLeftOut ? (['all_faces_hidden'] as const) : []),
      ...(used > choices.strength ? (['strength_raised'] as const) : []),
      ...(regions.length < wanted.length ? (['regions_dropped'] as const) : []),
    ];
    const found = visible.filter(({ isAdded }) => !isAdded).map(({ tight }) => tight);
    return {
      faces: true,
      strength: used,
      regions,
      notices,
      chosenFaces: added.length,
      leftFaces: 0,
      areas: blocksOver({ strength: used, padding }, regions, found, output),
    };
  }
  const wanted = [...chosen.map(({ area }) => area), ...drawn];
  const regions = wanted.slice(0, MAX_REGIONS);
  const used = isAnyLeftOut ? (strength ?? choices.strength) : choices.strength;
  const notices: Notice[] = [
    ...(isAnyLeftOut ? (['only_chosen_faces'] as const) : []),
    ...(used > choices.strength ? (['strength_raised'] as const) : []),
    ...(regions.length < wanted.length ? (['regions_dropped'] as const) : []),
  ];
  return {
    faces: false,
    strength: used,
    regions,
    notices,
    chosenFaces: chosen.length,
    leftFaces: visible.length - chosen.length,
    areas: blocksOver({ strength: used, padding }, regions, [], output),
  };
}
