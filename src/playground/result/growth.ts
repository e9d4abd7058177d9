import type { Controller } from '../controller.ts';
import { byId, setText } from '../dom.ts';
import type { Store } from '../state.ts';
import { t } from '../texts.ts';
import { smaller } from './smaller_result.ts';

/** Points out that a result is longer than its original, with a button that makes it smaller. */
export function showGrowth(store: Store, controller: Controller): void {
  const box = byId('growth');
  const button = byId('make-smaller');
  const change = () => {
    const { result, settings, view } = store.state;
    return result && view === 'result' ? smaller(result, settings) : null;
  };
  button.addEventListener('click', () => {
    const settings = change();
    if (!settings) return;
    store.updateSettings(settings);
    controller.sanitize();
  });
  store.subscribe(() => {
    const settings = change();
    box.hidden = settings === null;
    if (!settings) return;
    setText(
      button,
      'quality' in settings ? t('growth.quality', { value: settings.quality }) : t('growth.webp'),
    );
  });
}
