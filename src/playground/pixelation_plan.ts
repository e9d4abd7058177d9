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
 * What is sent so that exactly the chosen things are hidden, and no chosen face less well than the service
 * would.
 *
 * As long as no face was left out, the service finds and hides the faces itself (`pixelate.faces`): its own
 * rule, its own second look. Once a face is left out that can't be asked for any more, so the chosen faces go
 * as regions. For these the service knows no face, so the page keeps what its rule for faces promises:
 *
 * 1. The area: the tight box grown by `padding`. Boxes come clipped to the picture, so a face at its border
 *    may be larger than its box; the hidden side is then assumed to be as long as a face of that other side
 *    could make it.
 * 2. The block: never finer than a seventh of the face's longer side. There is one block size for all
 *    regions, so the strength rises to what the largest chosen face demands.
 * 3. The second look: faces that the service still finds after pixelating get twice the strength. It takes no
 *    such look without a first one, so the page doubles the strength in advance, as far as the scale goes.
 * 4. Where even the highest strength is too fine for that (a face that fills the picture), or where the
 *    chosen faces are more than the service takes regions, the service's own rule is used after all and hides
 *    every face. More is hidden than was asked for, never less, and the page says so beforehand.
 */

export const MAX_REGIONS = 200;
export const MAX_STRENGTH = 12;
const BLOCKS_ACROSS_FACE = 7;
/** How much coarser the service's second look hides. */
const SECOND_LOOK = 2;
/** No face is longer than this many times its width, or wider than this many times its height. */
const LONGEST_FACE = 1.6;
const WIDEST_FACE = 1.2;

/** A face in the frame, tight, clipped to it. */
export interface Face extends Box {
  /** 0 to 1 */
  readonly confidence: number;
  readonly hidden: boolean;
}

export interface Choices {
  /** Whether faces are to be hidden at all. */
  readonly faces: boolean;
  readonly found: readonly Face[];
  readonly regions: readonly Box[];
  readonly strength: number;
  readonly confidence: number;
  readonly padding: number;
}

/** Why what is done differs from what was set. */
export type Notice = 'strength_raised' | 'all_faces_hidden' | 'regions_dropped' | 'only_chosen_faces';

/** One hidden area in whole output pixels, and the edge of its blocks. */
export interface Hidden extends Box {
  readonly block: number;
}

export interface HidingPlan {
  /** For `pixelate.faces`, `pixelate.strength` and `pixelate.regions`. */
  readonly faces: boolean;
  readonly strength: number;
  readonly regions: readonly Box[];
  readonly notices: readonly Notice[];
  /** Faces among the regions, and faces left as they are; 0 where the service hides all that it finds. */
  readonly chosenFaces: number;
  readonly leftFaces: number;
  /** Everything known to be hidden, faces included: what a preview shows. */
  readonly areas: readonly Hidden[];
}

/** Edge of a block: the service's rule. */
export function blockEdge(strength: number, { width, height }: Size): number {
  return Math.max(2, Math.round((strength / 100) * Math.min(width, height)));
}

/** Faces that the confidence lets through. */
export const shownFaces = ({ found, confidence }: Pick<Choices, 'found' | 'confidence'>) =>
  found.filter((face) => face.confidence >= confidence);

/** The least strength from `from` up whose blocks have this edge or more; undefined where there is none. */
export function strengthFor(edge: number, from: number, output: Size): number | undefined {
  for (let strength = from; strength <= MAX_STRENGTH; strength++) {
    if (blockEdge(strength, output) >= edge) return strength;
  }
  return undefined;
}

/** The face as large as it may be beyond the border that clipped it. */
export function unclipped(face: Box, frame: Size): Box {
  const left = face.x <= 0;
  const top = face.y <= 0;
  const end = right(face) >= frame.width;
  const foot = bottom(face) >= frame.height;
  const w = left || end ? Math.max(face.w, face.h * WIDEST_FACE) : face.w;
  const h = top || foot ? Math.max(face.h, face.w * LONGEST_FACE) : face.h;
  const x = left ? right(face) - w : face.x;
  const y = top ? bottom(face) - h : face.y;
  // Clipped on both sides: grown to both, so that neither is short.
  return {
    x,
    y,
    w: left && end ? right(face) - x + (w - face.w) : w,
    h: top && foot ? bottom(face) - y + (h - face.h) : h,
  };
}

export function planHiding(choices: Choices, frame: Size, target: Target): HidingPlan {
  const { output } = target;
  const drawn = choices.regions.flatMap((box) => touchedPixels(toOutput(box, target), output) ?? []);
  const shown = choices.faces ? shownFaces(choices) : [];
  const faces = shown.map((face) => {
    const tight = toOutput(unclipped(face, frame), target);
    return {
      hidden: face.hidden,
      edge: Math.ceil(Math.max(tight.w, tight.h) / BLOCKS_ACROSS_FACE),
      area: touchedPixels(padded(tight, choices.padding), output),
    };
  });
  const inside = faces.flatMap(({ area, ...rest }) => (area ? [{ ...rest, area }] : []));
  const chosen = inside.filter(({ hidden }) => hidden);
  const least = blockEdge(choices.strength, output);

  const isEdited = inside.some(({ hidden }) => !hidden);
  const demanded = Math.max(0, ...chosen.map(({ edge }) => edge));
  const doubled = Math.min(MAX_STRENGTH, choices.strength * SECOND_LOOK);
  const strength = strengthFor(demanded, chosen.length > 0 ? doubled : choices.strength, output);
  const isTooMuch = strength === undefined || chosen.length > MAX_REGIONS;
  const byService = choices.faces && (!isEdited || isTooMuch);

  const areasOf = (boxes: readonly Box[], block: number) => boxes.map((box) => ({ ...box, block }));
  if (byService) {
    const regions = drawn.slice(0, MAX_REGIONS);
    const notices: Notice[] = [
      ...(isEdited ? (['all_faces_hidden'] as const) : []),
      ...(regions.length < drawn.length ? (['regions_dropped'] as const) : []),
    ];
    const hidden = inside.map(({ area, edge }) => ({ ...area, block: Math.max(least, edge) }));
    return {
      faces: true,
      strength: choices.strength,
      regions,
      notices,
      chosenFaces: 0,
      leftFaces: 0,
      areas: [...areasOf(regions, least), ...hidden],
    };
  }
  const wanted = [...chosen.map(({ area }) => area), ...drawn];
  const regions = wanted.slice(0, MAX_REGIONS);
  const used = isEdited ? (strength ?? choices.strength) : choices.strength;
  const notices: Notice[] = [
    ...(isEdited ? (['only_chosen_faces'] as const) : []),
    ...(used > choices.strength ? (['strength_raised'] as const) : []),
    ...(regions.length < wanted.length ? (['regions_dropped'] as const) : []),
  ];
  return {
    faces: false,
    strength: used,
    regions,
    notices,
    chosenFaces: chosen.length,
    leftFaces: inside.length - chosen.length,
    areas: areasOf(regions, blockEdge(used, output)),
  };
}
