import { planOf, type State } from '../state.ts';
import { t } from '../texts.ts';
import type { Count, PixelationPlan } from './pixelation_plan.ts';
import { chosenKinds } from './things.ts';

/** How many faces can be seen in the result, in a sentence; empty if there are none, or if nobody knows. */
export function describeVisible(plan: Pick<PixelationPlan, 'counts'> | undefined): string {
  const count = plan?.counts.get('face')?.visible ?? 0;
  return count > 0 ? t('faces.visible', { count }) : '';
}

/** What is planned for the faces of the shown photo. */
export function describeFaces(state: State): string {
  if (!state.settings.faces) return t('faces.off');
  const faces = planOf(state)?.pixelation.counts.get('face');
  if (!faces) return t('faces.later');
  const { count, visible } = faces;
  if (count === 0) return t('faces.none');
  if (visible === 0) return t('faces.allHidden', { count });
  return t('faces.someHidden', { count, hidden: count - visible });
}

/** "2 plates found, both hidden". @param kind see things.ts */
export function describeCount(kind: string, { count, visible }: Count): string {
  const found =
    kind === 'text' || kind === 'plate'
      ? t(`things.${kind}`, { count })
      : t('things.other', { name: kind, count });
  if (visible > 0) return t('things.someHidden', { found, count, hidden: count - visible });
  return t(count > 2 ? 'things.allHidden' : count === 2 ? 'things.bothHidden' : 'things.oneHidden', {
    found,
  });
}

/** What is planned for the findings besides faces; empty if nothing else is looked for. */
export function describeThings(state: State): string {
  const kinds = chosenKinds(state.settings);
  const counts = planOf(state)?.pixelation.counts;
  if (kinds.some((kind) => !counts?.has(kind))) return t('things.later');
  return kinds
    .map((kind) => {
      const found = counts!.get(kind)!;
      if (found.count > 0) return `${describeCount(kind, found)}.`;
      if (kind === 'text') return t('things.noText');
      return kind === 'plate' ? t('things.noPlate') : t('report.noneDetected', { name: kind });
    })
    .join(' ');
}
