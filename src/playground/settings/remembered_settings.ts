import type { PageSettings, PhotoEditName } from '../state.ts';

/**
 * Remembered are the settings shared by all photos: nothing about a photo, and not the choice to leave faces
 * visible, since a returning person may have forgotten it, and a photo with all its faces would be called
 * clean.
 */
export type RememberedSettings = Omit<PageSettings, 'faces' | PhotoEditName>;

const isIn = (low: number, high: number) => (value: unknown) =>
  typeof value === 'number' && value >= low && value <= high;
const isBoolean = (value: unknown) => typeof value === 'boolean';

/** The same bounds as those of the page's controls. */
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

/** The stored form. */
export const rememberedText = (settings: PageSettings): string =>
  JSON.stringify(Object.fromEntries(names.map((name) => [name, settings[name]])));

/** The valid settings in a stored text; none if the text itself is invalid. */
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
