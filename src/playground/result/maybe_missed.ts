import { announce, byId, el } from '../dom.ts';
import { type Box, type Size, toOutput } from '../geometry.ts';
import { previewOf } from '../pictures/preview.ts';
import { rove } from '../rove.ts';
import { pictureCrop } from '../stage/picture_crop.ts';
import { isTurnedSince, type Result, type Store } from '../state.ts';
import { t } from '../texts.ts';
import { hidingToo, missedSpots } from './missed_spots.ts';

/**
 * Offers to hide what may be a face and was left as it is: marked on the result, each with a button.
 * @param cleanAgain called after a choice
 */
export function showMaybeMissed(store: Store, cleanAgain: () => void): void {
  const area = byId('missed');
  const list = byId('missed-list');
  const marks = byId('compare-missed');
  const preview = previewOf(store);

  let last: Result | null = null;

  rove(list);

  store.view(
    ({ result, view, settings, photo, detectedFaces }) =>
      view === 'result' && result && photo?.size
        ? [result, settings, detectedFaces, photo.size, preview.shown]
        : null,
    (result, settings, detectedFaces, size, copy) => {
      const spots = isTurnedSince(result, settings.turn)
        ? []
        : missedSpots(result, { settings, detectedFaces });
      area.hidden = spots.length === 0;
      // After what is said of the result.
      if (spots.length > 0 && result !== last) byId('announcer').append(` ${t('missed.title')}`);
      last = result;
      const { target } = result.request;
      marks.replaceChildren(
        ...spots.map((spot, at) => markOf(toOutput(spot, target), `${at + 1}`, target.output)),
      );
      list.replaceChildren(
        ...spots.map((spot, at) => {
          const button = el(
            'button',
            { type: 'button' },
            pictureCrop(copy, spot, size),
            el('span', { className: 'name', textContent: t('missed.hide', { number: at + 1 }) }),
          );
          const percent = Math.round(spot.confidence * 100);
          button.setAttribute('aria-label', t('missed.label', { number: at + 1, percent }));
          button.addEventListener('click', () => {
            store.update(hidingToo(store.state, spot));
            announce(t('spot.nowHidden'));
            cleanAgain();
          });
          return el('li', {}, button);
        }),
      );
    },
  );
}

/** A mark on a picture of this size, with a short text. */
function markOf({ x, y, w, h }: Box, text: string, { width, height }: Size): HTMLElement {
  const mark = el('span', { className: 'mark' }, el('span', { className: 'chip', textContent: text }));
  mark.style.left = `${(x / width) * 100}%`;
  mark.style.top = `${(y / height) * 100}%`;
  mark.style.width = `${(w / width) * 100}%`;
  mark.style.height = `${(h / height) * 100}%`;
  return mark;
}
