import type { PurgeReport as CompleteReport } from '../ops/responses.ts';
import type { ColourSource } from '../pixels/colour/source.ts';

/** The report without `durationMs`, which the api adds because it reads the clock. */
export type PurgeReport = Readonly<Omit<CompleteReport, 'durationMs'>>;

/** The warning when detection ran and found no face. */
const NO_FACES = { code: 'no_faces_found', text: 'no faces found; detection is not exhaustive' } as const;

/** The warnings of the report, in words and by codes. @param foundNone detection ran, and found no face */
export function warningsOf(
  foundNone: boolean,
  { note }: ColourSource,
): Pick<PurgeReport, 'warnings' | 'warningCodes'> {
  const all = [...(foundNone ? [NO_FACES] : []), ...(note ? [note] : [])];
  return { warnings: all.map(({ text }) => text), warningCodes: all.map(({ code }) => code) };
}

/** The `colour` member of the report: what the source's colours were, and whether they were converted. */
export function colourReport({ name, conversion, decoded }: ColourSource): PurgeReport['colour'] {
  return { from: name, converted: conversion !== undefined || decoded === true };
}
