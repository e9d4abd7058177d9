import type { State } from '../state.ts';
import { t } from '../texts.ts';
import { chosenKinds, type Found, thingsOf } from './things.ts';

/** "All text: 11 of 12 hidden". @param kind see things.ts */
export function describeCount(kind: string, things: readonly Found[]): string {
  const values = { count: things.length, hidden: things.filter(({ hidden }) => hidden).length };
  if (kind === 'text' || kind === 'plate') return t(`things.${kind}`, values);
  return t('things.other', { ...values, name: kind });
}

/** The findings besides faces, in sentences; empty if nothing else is looked for. */
export function describeThings({
  settings,
  detectedFaces,
  kindsLookedFor,
}: Pick<State, 'settings' | 'detectedFaces' | 'kindsLookedFor'>): string {
  const chosen = chosenKinds(settings);
  if (chosen.some((kind) => !kindsLookedFor.includes(kind))) return t('things.later');
  return chosen
    .map((kind) => {
      const things = thingsOf(detectedFaces ?? [], [kind]);
      if (things.length > 0) return `${describeCount(kind, things)}.`;
      if (kind === 'text') return t('things.noText');
      return kind === 'plate' ? t('things.noPlate') : t('report.noneDetected', { name: kind });
    })
    .join(' ');
}
