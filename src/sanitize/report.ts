import type { PurgeReport as CompleteReport } from '../ops/responses.ts';
import type { ColourSource } from '../pixels/colour/source.ts';

/** The report without `durationMs`, which the api adds because it reads the clock. */
export type PurgeReport = Readonly<Omit<CompleteReport, 'durationMs'>>;

/** The warning when detection ran and found no face. */
export const NO_FACES_WARNING = 'no faces found; detection is not exhaustive';

/** The `colour` member of the report: what the source's colours were, and whether they were converted. */
export function colourReport({ name, conversion, decoded }: ColourSource): PurgeReport['colour'] {
  return { from: name, converted: conversion !== undefined || decoded === true };
}
