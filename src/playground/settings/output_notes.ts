import { byId, el, setText } from '../dom.ts';
import { previewOf } from '../pictures/preview.ts';
import type { Store } from '../state.ts';
import { currentLanguage, t } from '../texts.ts';
import { consequencesOf, outputFormat } from './output_format.ts';

/** Formats are called the same in every language. */
const FORMAT_NAMES = { jpeg: 'JPEG', png: 'PNG', webp: 'WebP' } as const;

/** What the chosen format means for the photo that is shown, before it is cleaned. */
export function showOutputNotes(store: Store): void {
  const list = byId('consequences');
  const auto = byId<HTMLSelectElement>('format').querySelector('option[value="auto"]')!;
  const preview = previewOf(store);
  preview.subscribe(() => store.scheduleRender());
  store.subscribe(() => {
    const { inspection, settings } = store.state;
    const format = outputFormat(settings.format, inspection?.format ?? null);
    setText(auto, inspection ? t('format.autoKnown', { format: FORMAT_NAMES[format] }) : t('format.auto'));
    byId('quality-row').hidden = format === 'png';
    const transparent = preview.copy?.isTransparent ?? null;
    const consequences = inspection ? consequencesOf(format, inspection, transparent) : [];
    const names = `${currentLanguage()} ${consequences.join()}`;
    if (list.dataset.names === names) return;
    list.dataset.names = names;
    list.replaceChildren(...consequences.map((name) => el('li', { textContent: t(`consequence.${name}`) })));
  });
}
