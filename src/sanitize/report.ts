import type { Size } from '../codecs/types.ts';
import { clipBox, padBox, type ScoredBox } from '../faces/boxes.ts';
import type { FileFacts } from '../metadata/facts.ts';
import type { PurgeReport } from '../ops/responses.ts';
import type { SanitizeOps } from '../ops/schema.ts';
import type { ColourSource } from '../pixels/colour/stated.ts';
import { answeredBox } from './below_confidence.ts';
import type { FineBlocks } from './fine_blocks.ts';
import type { HiddenAreas } from './hidden_areas.ts';

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

/** What was hidden and how; all but `regionsPixelated` only where the ops ask for it. */
export function hidingReport(
  { fill, regions, except, secondLook, padding }: SanitizeOps['pixelate'],
  counts: Pick<HiddenAreas, 'mosaicRegions' | 'regionsFilled' | 'facesSpared'>,
  foundAgain: readonly ScoredBox[],
  output: Size,
): Pick<JobReport, 'regionsPixelated' | 'regionsFilled' | 'facesSpared' | 'secondLook'> {
  const { mosaicRegions, regionsFilled, facesSpared } = counts;
  const asksForSolid = fill === 'solid' || regions.some((region) => region.fill === 'solid');
  return {
    regionsPixelated: mosaicRegions.length,
    ...(asksForSolid && { regionsFilled }),
    ...(except.length > 0 && { facesSpared }),
    ...(secondLook && {
      secondLook: foundAgain.flatMap((face) => clipBox(padBox(face, padding), output) ?? []).map(answeredBox),
    }),
  };
}
