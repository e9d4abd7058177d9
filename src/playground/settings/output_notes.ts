import { byId, el, setText } from '../dom.ts';
import { previewOf } from '../pictures/preview.ts';
import type { Store } from '../state.ts';
import { t } from '../texts.ts';
import { consequencesOf, outputFormat } from './output_format.ts';

/** Names of formats, the same in every language. */
const FORMAT_NAMES = { jpeg: 'JPEG', png: 'PNG', webp: 'WebP' } as const;

/** What the chosen format means for the shown photo, before it is cleaned. */
export function showOutputNotes(store: Store): void {
  const list = byId('consequences');
  const auto = byId<HTMLSelectElement>('format').querySelector('option[value="auto"]')!;
  const preview = previewOf(store);
  store.view(
    ({ inspection, settings }) => [inspection, settings.format, preview.copy],
    (inspection, chosen, copy) => {
      const format = outputFormat(chosen, inspection?.format ?? null);
      setText(auto, inspection ? t('format.autoKnown', { format: FORMAT_NAMES[format] }) : t('format.auto'));
      byId('quality-row').hidden = format === 'png';
      const transparent = copy?.isTransparent ?? null;
      const consequences = inspection ? consequencesOf(format, inspection, transparent) : [];
      list.replaceChildren(
        ...consequences.map((name) => el('li', { textContent: t(`consequence.${name}`) })),
      );
    },
  );
}
