import { announce, byId } from '../dom.ts';
import { turnAfter } from '../geometry.ts';
import type { Store } from '../state.ts';
import { t } from '../texts.ts';
import { turnedTo } from './turned_places.ts';

/** The button that turns the photo to the right, with everything chosen on it. */
export function showTurn(store: Store): void {
  const button = byId<HTMLButtonElement>('turn');
  store.subscribe(() => {
    const { photo, view } = store.state;
    button.hidden = view === 'result';
    button.disabled = !photo?.size;
  });
  button.addEventListener('click', () => {
    store.update(turnedTo(store.state, turnAfter(store.state.settings.turn, 90)));
    announce(t('turn.turned'));
  });
}
