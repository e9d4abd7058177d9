import type { Size } from '../codecs/types.ts';
import { clipBox, type ScoredBox } from '../faces/boxes.ts';
import { blockNames } from '../metadata/block_names.ts';
import type { FileFacts } from '../metadata/facts.ts';
import type { PurgeReport } from '../ops/responses.ts';
import type { SanitizeOps } from '../ops/schema.ts';
import type { ColourSource } from '../pixels/colour/stated.ts';
import { wholeBlocks } from '../pixels/covered_blocks.ts';
import { rectsInside } from '../pixels/ellipse.ts';
import { answeredBox, answeredThings, belowConfidence } from './answered.ts';
import type { Found } from './finder.ts';
import { type FineBlocks, fineBlocks } from './fine_blocks.ts';
import { type HiddenArea, isFace, isSpared, type Owner, padded } from './hidden_areas.ts';
import { isFaceArea } from './mosaic_plan.ts';
import type { SanitizePlan } from './plan.ts';

/** The report without `durationMs`, which the api adds because it reads the clock. */
export type JobReport = Readonly<Omit<PurgeReport, 'durationMs'>>;

/** The warning when detection ran and found no face. */
const NO_FACES = { code: 'no_faces_found', text: 'no faces found; detection is not exhaustive' } as const;

/** The warning when transparency was lost. */
const FLATTENED = {
  code: 'flattened',
  text: 'transparent parts were laid over white: a JPEG has no transparency',
} as const;

/** The warning when a clean aperture could not be applied. */
const APERTURE_IGNORED = {
  code: 'clean_aperture_ignored',
  text: 'the file declares a clean aperture that holds no pixel of the picture: all of the picture was kept',
} as const;

/** The warning when nothing says which samples are black and white. */
const RANGE_ASSUMED = {
  code: 'sample_range_assumed',
  text: 'the file does not say which values are black and white: 0 and 1, or the ends of the type, were taken',
} as const;

/** What the output has lost of its source. */
export interface Losses {
  readonly facts: Pick<FileFacts, 'format' | 'frames' | 'pictures' | 'cleanAperture' | 'assumedRange'>;
  /** Some output pixels would not be opaque if the format had transparency. */
  readonly isFlattened: boolean;
}

/**
 * The warnings of the report, in words and by codes.
 * @param foundNone detection ran, and found no face
 * @param fine regions under which text could be guessed
 */
export function warningsOf(
  foundNone: boolean,
  { note }: ColourSource,
  { facts, isFlattened }: Losses,
  fine: FineBlocks | undefined,
): Pick<JobReport, 'warnings' | 'warningCodes'> {
  const all = [
    ...(foundNone ? [NO_FACES] : []),
    ...(note ? [note] : []),
    ...(picturesOf(facts) > 1 ? [droppedFrames(facts)] : []),
    ...(isFlattened ? [FLATTENED] : []),
    ...(fine ? [guessable(fine)] : []),
    ...(facts.cleanAperture === null ? [APERTURE_IGNORED] : []),
    ...(facts.assumedRange ? [RANGE_ASSUMED] : []),
  ];
  return { warnings: all.map(({ text }) => text), warningCodes: all.map(({ code }) => code) };
}

function guessable({ regions, strength }: FineBlocks) {
  const which = regions === 1 ? '1 region has' : `${regions} regions have`;
  const would = strength === undefined ? '' : `, or strength ${strength}`;
  const text = `${which} blocks so fine that text beneath could be guessed: a solid fill hides it${would}`;
  return { code: 'fine_blocks', text } as const;
}

/** The number of frames or pages that show something of their own. */
const picturesOf = ({ frames, pictures = frames }: Losses['facts']): number => pictures;

/** A TIFF has pages, a JPEG pictures of a multi-picture index; the others are animated. */
function droppedFrames(facts: Losses['facts']) {
  const { format } = facts;
  const frames = picturesOf(facts);
  const pages = { tiff: 'pages', jpeg: 'pictures' }[format as string];
  return pages
    ? ({ code: 'pages_dropped', text: `only the first of ${frames} ${pages} was kept` } as const)
    : ({ code: 'frames_dropped', text: `the animation of ${frames} frames became a still image` } as const);
}

/** The `colour` member of the report: the source's colour space, and whether it was converted. */
export function colourReport({ name, conversion, decoded }: ColourSource): JobReport['colour'] {
  return { from: name, converted: conversion !== undefined || decoded === true };
}

/** What the report is made from, apart from the plan. */
interface Outcome {
  readonly ops: SanitizeOps;
  readonly plan: SanitizePlan;
  /** What is hidden, or spared. */
  readonly list: readonly HiddenArea[];
  /** What the second look found, hidden or not. */
  readonly again: readonly HiddenArea[];
  readonly doubtful: readonly ScoredBox[];
  readonly colour: ColourSource;
  readonly isFlattened: boolean;
  /** The scan of the output, and its length. */
  readonly verified: FileFacts;
  readonly bytes: number;
}

/** The purge report; every number of it is counted in the list of what is hidden, by owner. */
export function reportOf(outcome: Outcome): JobReport {
  const { ops, plan, list, again, doubtful, colour, isFlattened, verified, bytes } = outcome;
  const { pixelate } = ops;
  const { facts, output } = plan;
  const { width, height } = output;
  const of = (...owners: Owner[]) => list.filter(({ owner }) => owners.includes(owner));
  const filledBy = (fill: HiddenArea['fill']) => of('region').filter((region) => region.fill === fill).length;
  const hidden = list.filter((area) => !area.isSpared);
  const facesAgain = again.filter(({ found }) => found && isFace(found));
  const isNewThing = ({ found, isAgain }: HiddenArea) => found && !isFace(found) && !isAgain;
  const things = list.filter(isNewThing);
  const isListed = pixelate.verify === 'list';
  const count = (kind: 'plate' | 'text') =>
    things.filter(({ found }) => found!.by.name === undefined && found!.kind === kind).length;
  const rects = hidden.flatMap(({ areas }) => areas).flatMap(rectsInside);
  const spots = belowConfidence(
    doubtful.filter((spot) => !isSpared(pixelate, spot)),
    rects.map((rect) => ({ x: rect.x, y: rect.y, w: rect.width, h: rect.height })),
    output,
    pixelate,
  );
  const { fill, regions, except, plates, text, detectors, areas = [] } = pixelate;
  const asksForSolid = fill === 'solid' || regions.some((region) => region.fill === 'solid');
  const asksForThings = plates || text || detectors || areas.some((area) => !isFaceArea(area));
  // Text and plates under blocks, found or drawn around.
  const legible = of('region', 'plate', 'text').filter((area) => area.fill === 'mosaic');
  const isFaceless = pixelate.faces && of('face').length === 0;
  return {
    width,
    height,
    bytes,
    facesDetected: of('face').length,
    facesBelowConfidence: spots.length,
    belowConfidence: spots,
    facesOnSecondLook: facesAgain.length,
    regionsPixelated: filledBy('mosaic'),
    ...(asksForSolid && { regionsFilled: filledBy('solid') }),
    ...(except.length > 0 && { facesSpared: of('face').filter((face) => face.isSpared).length }),
    ...((pixelate.secondLook || isListed) && {
      secondLook: [
        ...facesAgain.flatMap(({ found }) => clipBox(padded(found!), output) ?? []).map(answeredBox),
        // Where it is hidden, it is listed with everything else that was found.
        ...(isListed ? answeredThings(foundOf(again.filter(isNewThing)), output) : []),
      ],
    }),
    ...((plates || areas.some(({ kind }) => kind === 'plate')) && { platesHidden: count('plate') }),
    ...((text || areas.some(({ kind }) => kind === 'text')) && { textsHidden: count('text') }),
    ...(asksForThings && {
      detected: answeredThings(foundOf(things), output),
    }),
    hidden: hidden.flatMap((area) => coveredRects(area, output)),
    grayscale: ops.grayscale,
    colour: colourReport(colour),
    metadataStripped: verified.blocks.length === 0,
    verified: { blocks: blockNames(verified), scannedBytes: bytes },
    sourceMetadataFound: blockNames(facts),
    ...warningsOf(
      isFaceless,
      colour,
      { facts, isFlattened },
      fineBlocks(
        legible.flatMap((area) => area.areas),
        pixelate.strength,
        output,
      ),
    ),
  };
}

const foundOf = (areas: readonly HiddenArea[]): Found[] => areas.flatMap(({ found }) => found ?? []);

/** The pixels that an area covers, whole blocks of a mosaic included. */
function coveredRects({ owner, fill, areas, block }: HiddenArea, output: Size): JobReport['hidden'] {
  return areas.map(({ ellipse, ...area }) => {
    const { x, y, width, height } = fill === 'mosaic' ? wholeBlocks(area, block, output) : area;
    return { owner, fill, x, y, w: width, h: height, ...(ellipse && { shape: 'ellipse' as const }) };
  });
}
