import type { BlockName } from '../metadata/facts.ts';
import type { ColourSource } from '../pixels/colour/source.ts';

/** What became of the image; `durationMs` is added by whoever holds a clock. */
export interface PurgeReport {
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  readonly facesDetected: number;
  readonly facesBelowConfidence: number;
  /** Faces that were still found after pixelation and then hidden more coarsely. */
  readonly facesOnSecondLook: number;
  readonly regionsPixelated: number;
  readonly grayscale: boolean;
  /** What the source's colours were, and whether they had to be converted to sRGB. */
  readonly colour: { readonly from: string; readonly converted: boolean };
  /** Result of scanning the finished output. */
  readonly metadataStripped: boolean;
  readonly verified: { readonly blocks: readonly BlockName[]; readonly scannedBytes: number };
  readonly sourceMetadataFound: readonly BlockName[];
  readonly warnings: readonly string[];
}

/** Said whenever faces were looked for and none was found. */
export const NO_FACES_WARNING = 'no faces found; detection is not exhaustive';

export function colourReport({ name, conversion, decoded }: ColourSource): PurgeReport['colour'] {
  return { from: name, converted: conversion !== undefined || decoded === true };
}
