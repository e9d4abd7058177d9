import type { SanitizeOptions } from '../../../client/index.ts';
import { RowSpans } from '../../pixels/row_spans.ts';
import { cornersIn } from '../../readable/outline.ts';
import { answeredBox, answeredPoint } from '../../sanitize/answered.ts';
import {
  foundAreas,
  givenAreas,
  type HiddenArea,
  type Pixelate,
  regionsOf,
} from '../../sanitize/hidden_areas.ts';
import { regionAreas } from '../../sanitize/mosaic_plan.ts';
import { inOutput, type Placement } from '../../sanitize/placement.ts';
import { MAX_AREAS, MAX_REGIONS } from '../../vocabulary/vocabulary.ts';
import {
  type Box,
  bottom,
  fullBox,
  intersection,
  padded,
  right,
  type Size,
  type Target,
  type Turn,
  toOutput,
  touchedPixels,
  turnBack,
  turnedSize,
  wholePixels,
} from '../geometry.ts';
import { chosenKinds, type Found, isFace, type Kinds, thingsOf, turnedFound } from './things.ts';

/**
 * What is hidden, as one object: the preview, the counts, the result and the job read the same list. What was
 * found here is sent as it is shown (`areas`), so the engine finds nothing of its own. Only what was not
 * looked for yet is left to the engine to find.
 */

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
  /** If absent: as other faces are. */
  readonly fill?: Fill;
}

/** What was found on a photo. */
export interface Known {
  /** In the frame (see geometry.ts); null before detection has run. */
  readonly detectedFaces: readonly Face[] | null;
  /** The kinds looked for besides faces. */
  readonly kindsLookedFor: readonly string[];
}

export interface PixelationChoices extends Kinds {
  /** Whether any faces are to be hidden, and how. */
  readonly faces: boolean;
  readonly faceFill: Fill;
  /** Drawn regions in the frame. */
  readonly regions: readonly HiddenRegion[];
  /** The turn of the frame. */
  readonly turn: Turn;
  /** As in the service's ops. */
  readonly strength: number;
  readonly confidence: number;
  readonly padding: number;
}

/** How the plan differs from the settings. */
export type Notice = 'regions_dropped' | 'areas_dropped';

/** Found things of a kind in the output, and how many of them can be seen there. */
export interface Count {
  readonly count: number;
  readonly visible: number;
}

export interface PixelationPlan {
  /** As it is sent, without members that equal the default. */
  readonly pixelate: NonNullable<SanitizeOptions['pixelate']>;
  /** All that this hides, but for what the engine is asked to find. In output pixels. */
  readonly list: readonly HiddenArea[];
  /** Whether faces are to be hidden. */
  readonly faces: boolean;
  /** The kinds to be hidden besides faces. */
  readonly kinds: readonly string[];
  /** The kinds that the engine is asked to find, `face` among them. */
  readonly asked: readonly string[];
  /** For every other kind, and for `face`. */
  readonly counts: ReadonlyMap<string, Count>;
  readonly notices: readonly Notice[];
}

/** The faces with at least this confidence. */
export const confidentFaces = (faces: readonly Face[], confidence: number) =>
  faces.filter((face) => isFace(face) && face.confidence >= confidence);

/**
 * The hidden area in the frame: of a face its box with the padding. The boxes of other things already have
 * theirs.
 */
export const areaOf = (face: Face, padding: number, frame: Size): Box =>
  (isFace(face) && intersection(padded(face, padding), fullBox(frame))) || face;

/** The way from the upright picture of the file to the output. */
const placementOf = (frame: Size, turn: Turn, { crop, output }: Target): Placement => ({
  upright: turnedSize(frame, turnBack(turn)),
  turns: (turn / 90) as Placement['turns'],
  crop: { x: crop.x, y: crop.y, width: crop.w, height: crop.h },
  output,
});

/** @param frame size of the whole upright image, turned */
export function planPixelation(
  choices: PixelationChoices,
  { detectedFaces, kindsLookedFor }: Known,
  frame: Size,
  target: Target,
): PixelationPlan {
  const { output } = target;
  const { faces, faceFill, strength, confidence, padding, turn } = choices;
  const placement = placementOf(frame, turn, target);
  const isKnown = (kind: string) => detectedFaces !== null && kindsLookedFor.includes(kind);
  const kinds = chosenKinds(choices);
  const asked = [...(faces && !detectedFaces ? [FACE] : []), ...kinds.filter((kind) => !isKnown(kind))];
  const found = detectedFaces ?? [];

  const isHidden = (face: Face) => (face.confidence < confidence ? face.isAdded : face.hidden);
  const hidden = [
    ...(faces ? found.filter((one) => isFace(one) && isHidden(one)) : []),
    ...thingsOf(found, kinds.filter(isKnown)).filter((thing) => thing.hidden),
  ].flatMap((one) => {
    const area = sentArea(one, choices, frame);
    return area && regionAreas([inOutput(area, placement)], output).length > 0 ? [{ one, area }] : [];
  });
  const given = hidden.slice(0, MAX_AREAS);
  const drawn = choices.regions.flatMap((region) => sentRegion(region, target) ?? []);
  const sent: Pixelate = {
    faces: asked.includes(FACE),
    ...{ plates: false, text: false, verify: 'list', secondLook: false },
    regions: drawn.slice(0, MAX_REGIONS),
    areas: given.map(({ area }) => area),
    ...{ fill: 'mosaic', faceFill, colour: '#000000', except: [] },
    ...{ strength, confidence, padding },
  };
  const list = [...regionsOf(sent, output), ...foundAreas(givenAreas(sent, placement), sent, output)];
  return {
    pixelate: asSent(choices, sent, asked),
    list,
    faces,
    kinds,
    asked,
    counts: countsOf([...kinds.filter(isKnown), ...(detectedFaces ? [FACE] : [])]),
    notices: [
      ...(drawn.length > MAX_REGIONS ? (['regions_dropped'] as const) : []),
      ...(hidden.length > MAX_AREAS ? (['areas_dropped'] as const) : []),
    ],
  };

  function countsOf(known: readonly string[]): Map<string, Count> {
    const covered = new RowSpans(list.flatMap(({ areas }) => areas));
    const inList = new Set(given.map(({ one }) => one));
    const isCounted = (one: Face) => !isFace(one) || one.confidence >= confidence;
    const others = found.filter((one) => isCounted(one) && !inList.has(one));
    const isOf = (kind: string) => (one: Face) => (one.kind ?? FACE) === kind;
    return new Map(
      known.map((kind) => {
        const parts = others
          .filter(isOf(kind))
          .flatMap((one) => intersection(toOutput(padded(one, CORE), target), fullBox(output)) ?? []);
        const visible = parts.filter((part) => !isCovered(covered, part)).length;
        return [kind, { count: [...inList].filter(isOf(kind)).length + parts.length, visible }];
      }),
    );
  }
}

/** A face counts as covered if this share of its width and height is, about its centre. */
const CORE = 0.8;

/** The name of faces among the kinds. */
const FACE = 'face';

/**
 * The members of `pixelate` that differ from the defaults. The second look only lists what it finds, and only
 * faces: with faces off there is none.
 */
function asSent(
  { faces, plates, text, detectors }: PixelationChoices,
  { areas = [], regions, faceFill, strength, confidence, padding }: Pixelate,
  asked: readonly string[],
): PixelationPlan['pixelate'] {
  const asks = (kind: string) => asked.includes(kind);
  const isGiven = areas.length > 0 || (faces && !asks(FACE));
  const own = detectors.filter(asks);
  return {
    ...(isGiven && { areas }),
    ...(!faces && !isGiven && { faces: false }),
    ...(regions.length > 0 && { regions: regions.map(withoutDefaults) }),
    ...(faces && faceFill !== 'mosaic' && { faceFill }),
    ...(plates && asks('plate') && { plates: true }),
    ...(text && asks('text') && { text: true }),
    ...(own.length > 0 && { detectors: Object.fromEntries(own.map((name) => [name, true])) }),
    ...ifChanged(strength, pixelationDefaults.strength, 'strength'),
    ...(faces && ifChanged(confidence, pixelationDefaults.confidence, 'confidence')),
    ...(faces && ifChanged(padding, pixelationDefaults.padding, 'padding')),
    ...(faces && { verify: 'list' as const }),
    ...(!faces && !isGiven && asked.length > 0 && { verify: false }),
  };
}

/** The service's defaults. */
export const pixelationDefaults = { strength: 3, confidence: 0.6, padding: 1.5 };

/** Removes fill and shape if they equal the service's defaults. */
const withoutDefaults = ({ fill, shape, ...box }: Region) => ({
  ...box,
  ...(fill !== 'mosaic' && { fill }),
  ...(shape === 'ellipse' && { shape }),
});

/** The value under its name, or nothing if it is the default. */
export function ifChanged<K extends string, V>(value: V, defaultValue: V, name: K): Partial<Record<K, V>> {
  return (value === defaultValue ? {} : { [name]: value }) as Partial<Record<K, V>>;
}

function isCovered(covered: RowSpans, box: Box): boolean {
  for (let y = Math.floor(box.y); y < bottom(box); y = covered.endOf(y)) {
    if (!covered.at(y).some(({ start, end }) => start <= box.x && end >= right(box))) return false;
  }
  return true;
}

type Area = NonNullable<Pixelate['areas']>[number];
type Region = Pixelate['regions'][number];

/** Something found as `detect` would list it: padded, in the upright picture before any turn. */
function sentArea(one: Face, { padding, turn }: PixelationChoices, frame: Size): Area | null {
  const shown = isFace(one) ? { ...one, ...padded(one, padding) } : one;
  const unturned = turnedFound(shown, frame, turnBack(turn));
  const clipped = intersection(unturned, fullBox(turnedSize(frame, turn)));
  if (!clipped) return null;
  const { x, y, w, h } = answeredBox({ ...unturned, ...clipped });
  if (w <= 0 || h <= 0) return null;
  const { kind, called, outline, fill } = one;
  return {
    ...{ x, y, w, h },
    ...(kind !== undefined && { kind: called ?? kind }),
    ...(called !== undefined && { detector: kind }),
    ...(outline && { corners: cornersIn(unturned).map(answeredPoint) }),
    ...(fill && { fill }),
  };
}

/** A drawn region in whole output pixels; null if it lies outside. */
function sentRegion({ fill, shape, ...region }: HiddenRegion, target: Target): Region | null {
  const { output } = target;
  const box = touchedPixels(toOutput(region, target), output);
  const whole = wholePixels(toOutput(region, target));
  if (!box) return null;
  // The service accepts no coordinates left of or above the picture, so where the crop cuts there, the whole
  // box is hidden.
  if (shape !== 'ellipse' || whole.x < 0 || whole.y < 0) return { ...box, fill };
  const oval = { ...whole, fill, shape };
  return regionAreas([oval], output).length > 0 ? oval : null;
}
