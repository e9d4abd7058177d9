import { byId } from '../dom.ts';
import type { Store } from '../state.ts';
import { photosOf } from './photo_list.ts';
import { hasUnsavedWork, markSaved } from './unsaved.ts';

const isEditor = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'isEditor' in state && state.isEditor === true;

/** Handles leaving: the browser asks before work is lost, and going back leaves the editor, not the page. */
export function guardLeaving(store: Store): void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  let asks = false;
  store.subscribe(() => {
    const isUnsaved = hasUnsavedWork(photosOf(store.state), store.state.settings);
    if (isUnsaved === asks) return;
    asks = isUnsaved;
    // Only while there is work: browsers do not cache a page with this listener for going back.
    if (asks) addEventListener('beforeunload', ask);
    else removeEventListener('beforeunload', ask);
  });
  byId('download').addEventListener('click', () => {
    const { result } = store.state;
    if (result) markSaved(result.image);
    store.scheduleRender();
  });

  // Entries made by links within the page have no state; these two have.
  history.replaceState({ isEditor: false }, '');
  // Going back takes effect later. A second step back before then would leave the page.
  let isGoingBack = false;
  addEventListener('popstate', ({ state }: PopStateEvent) => {
    isGoingBack = false;
    if (state === null) return;
    const isEditing = isEditor(state) && store.state.photos.length > 0;
    store.update({ place: isEditing ? 'editor' : 'intake' });
    byId('main').focus({ preventScroll: true });
  });
  byId('resume').addEventListener('click', () => history.forward());
  byId('leave').addEventListener('click', () => history.back());
  store.subscribe(() => {
    const { place, photos } = store.state;
    byId('resume').hidden = photos.length === 0;
    // Only one of the buttons is emphasised.
    byId('choose').classList.toggle('strong', photos.length === 0);
    if (place === 'editor' && photos.length === 0) store.update({ place: 'intake' });
    if (place === 'editor' && !isEditor(history.state)) history.pushState({ isEditor: true }, '');
    if (photos.length === 0 && isEditor(history.state) && !isGoingBack) {
      isGoingBack = true;
      history.back();
    }
  });
}
