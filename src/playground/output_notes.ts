import { byId, el, setText } from './dom.ts';
import { consequencesOf, outputFormat } from './output_format.ts';
import type { Store } from './state.ts';
import { currentLanguage, t } from './texts.ts';
import { isTransparent } from './transparency.ts';

/** Formats are called the same in every language. */
const FORMAT_NAMES = { jpeg: 'JPEG', png: 'PNG', webp: 'WebP' } as const;
/** Formats that may be transparent. */
const WITH_ALPHA = new Set(['png', 'webp', 'gif', 'avif', 'tiff']);

/** What the chosen format means for the photo that is shown, before it is cleaned. */
export function showOutputNotes(store: Store): void {
  const list = byId('consequences');
  const auto = byId<HTMLSelectElement>('format').querySelector('option[value="auto"]')!;
  const picture = byId<HTMLImageElement>('picture');
  /** Whether the pictures behind these URLs are transparent. */
  const known = new Map<string, boolean>();
  picture.addEventListener('load', () => {
    const { inspection, photo } = store.state;
    if (!photo?.displayUrl || known.has(photo.displayUrl) || photo.displayedBy !== 'browser') return;
    if (inspection && !WITH_ALPHA.has(inspection.format)) return;
    known.set(photo.displayUrl, isTransparent(picture));
    store.scheduleRender();
  });
  store.subscribe(() => {
    const { inspection, photo, settings } = store.state;
    const format = outputFormat(settings.format, inspection?.format ?? null);
    setText(auto, inspection ? t('format.autoKnown', { format: FORMAT_NAMES[format] }) : t('format.auto'));
    byId('quality-row').hidden = format === 'png';
    const transparent = photo?.displayUrl ? (known.get(photo.displayUrl) ?? null) : null;
    const consequences = inspection ? consequencesOf(format, inspection, transparent) : [];
    const names = `${currentLanguage()} ${consequences.join()}`;
    if (list.dataset.names === names) return;
    list.dataset.names = names;
    list.replaceChildren(...consequences.map((name) => el('li', { textContent: t(`consequence.${name}`) })));
  });
}
