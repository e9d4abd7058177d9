import { byId, el, setText } from '../dom.ts';
import type { Store } from '../state.ts';
import { formatList, t } from '../texts.ts';

/**
 * The operator's detectors that this page offers, with the kinds they find: the build names them in the
 * document (scripts/playground/build.mjs), and their models are loaded when a photo is first cleaned with
 * them.
 */
export const offeredDetectors: readonly (readonly [name: string, kinds: readonly string[]])[] = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name=detectors]')?.content ?? '[]',
);

/** Adds a check box for each, next to those for plates and text. */
export function showOfferedDetectors(store: Store): void {
  for (const [name, kinds] of offeredDetectors) {
    const input = el('input', { type: 'checkbox' });
    const text = el('span');
    byId('read-note').before(el('label', { className: 'check' }, input, ' ', text));
    input.setAttribute('aria-describedby', 'read-note');
    input.addEventListener('change', () => {
      const others = store.state.settings.detectors.filter((other) => other !== name);
      store.updateSettings({ detectors: input.checked ? [...others, name] : others });
    });
    store.subscribe(() => {
      input.checked = store.state.settings.detectors.includes(name);
      setText(text, t('hide.detector', { name, kinds: formatList(kinds) }));
    });
  }
}
