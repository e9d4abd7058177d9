import type { PageSettings, PhotoEditName } from '../state.ts';

/**
 * What is remembered: settings of all photos. Nothing of a photo is among them, nor that faces are left as
 * they are: who comes back has forgotten it, and a photo with all its faces would be called clean.
 */
export type RememberedSettings = Omit<PageSettings, 'faces' | PhotoEditName>;

const isIn = (low: number, high: number) => (value: unknown) =>
  typeof value === 'number' && value >= low && value <= high;
const isBoolean = (value: unknown) => typeof value === 'boolean';

/** Bounds as of the page's controls. */
const checks: { readonly [Name in keyof RememberedSettings]: (value: unknown) => boolean } = {
  plates: isBoolean,
  text: isBoolean,
  detectors: (value) => Array.isArray(value) && value.every((name) => typeof name === 'string'),
  faceFill: (value) => value === 'mosaic' || value === 'solid',
  strength: isIn(1, 12),
  confidence: isIn(0.05, 0.99),
  padding: isIn(1, 3),
  grayscale: isBoolean,
  format: (value) => ['auto', 'jpeg', 'png', 'webp'].includes(value as string),
  quality: (value) => value === 'auto' || isIn(30, 100)(value),
  maxWidth: (value) => value === undefined || isIn(16, 12_000)(value),
};
const names = Object.keys(checks) as (keyof RememberedSettings)[];

/** As they are stored. */
export const rememberedText = (settings: PageSettings): string =>
  JSON.stringify(Object.fromEntries(names.map((name) => [name, settings[name]])));

/** The settings of a stored text that are what they should be; none of a text that is not one. */
export function readRemembered(text: string | null): Partial<RememberedSettings> {
  let stored: unknown;
  try {
    stored = JSON.parse(text ?? '');
  } catch {
    return {};
  }
  if (typeof stored !== 'object' || stored === null) return {};
  const known = stored as Record<string, unknown>;
  return Object.fromEntries(
    names.filter((name) => name in known && checks[name](known[name])).map((name) => [name, known[name]]),
  );
}
