import { byId, el } from '../dom.ts';
import { toOutput } from '../geometry.ts';
import { previewOf } from '../pictures/preview.ts';
import { rove } from '../rove.ts';
import { pictureCrop } from '../stage/picture_crop.ts';
import { isTurnedSince, type Store } from '../state.ts';
import { t } from '../texts.ts';
import { markOf } from './report_spots.ts';
import { secondLookSpots } from './second_look_spots.ts';

/**
 * The additions of the second detection, marked on the result, each with a button that removes it or adds it
 * again.
 * @param cleanAgain called after a choice
 */
export function showSecondLook(store: Store, cleanAgain: () => void): void {
  const area = byId('added');
  const list = byId('added-list');
  const marks = byId('compare-added');
  const preview = previewOf(store);

  rove(list);

  store.view(
    ({ result, view, settings, photo, detectedFaces }) =>
      view === 'result' && result && photo?.size
        ? [result, settings, detectedFaces, photo.size, preview.shown]
        : null,
    (result, settings, detectedFaces, size, copy) => {
      const isTurned = isTurnedSince(result, settings.turn);
      const hidden = isTurned ? [] : secondLookSpots(result, { settings, detectedFaces });
      const { spared } = settings;
      const spots = isTurned ? [] : [...hidden, ...(detectedFaces ? spared : [])];
      area.hidden = spots.length === 0;
      const { target } = result.request;
      marks.replaceChildren(
        ...spots.map((spot, at) => markOf(toOutput(spot, target), `+${at + 1}`, target.output)),
      );
      list.replaceChildren(
        ...spots.map((spot, at) => {
          const isHidden = at < hidden.length;
          const button = el(
            'button',
            { type: 'button' },
            pictureCrop(copy, spot, size),
            el('span', { className: 'name', textContent: t('second.name', { number: at + 1 }) }),
          );
          button.setAttribute('aria-pressed', String(isHidden));
          button.dataset.state = t(isHidden ? 'face.hidden' : 'face.shown');
          button.addEventListener('click', () => {
            store.updateSettings({
              spared: isHidden ? [...spared, spot] : spared.filter((known) => known !== spot),
            });
            cleanAgain();
          });
          return el('li', {}, button);
        }),
      );
    },
  );
}
