import { byId } from '../dom.ts';
import type { Store } from '../state.ts';
import { t } from '../texts.ts';

/** The original and the result on top of each other, with a divider to drag. */
export function showComparison(store: Store): void {
  const box = byId('compare');
  const stage = byId('stage');
  const before = byId<HTMLImageElement>('before');
  const after = byId<HTMLImageElement>('after');
  const split = byId<HTMLInputElement>('split');
  const moveDivider = () => {
    box.style.setProperty('--split', `${split.value}%`);
    split.setAttribute('aria-valuetext', t('compare.share', { percent: split.value }));
  };
  split.addEventListener('input', moveDivider);
  moveDivider();

  store.subscribe(() => {
    const { photo, result, view } = store.state;
    box.hidden = view !== 'result' || !result;
    if (!photo?.size || !result || view !== 'result') return;
    const { crop, output } = result.request.target;
    stage.style.setProperty('--ratio', String(output.width / output.height));
    if (after.src !== result.url) after.src = result.url;
    box.classList.toggle('alone', photo.displayUrl === null);
    if (photo.displayUrl && before.src !== photo.displayUrl) before.src = photo.displayUrl;
    // The original is scaled and moved so that its cropped part lies exactly under the result.
    before.style.width = `${(photo.size.width / crop.w) * 100}%`;
    before.style.height = `${(photo.size.height / crop.h) * 100}%`;
    before.style.left = `${(-crop.x / crop.w) * 100}%`;
    before.style.top = `${(-crop.y / crop.h) * 100}%`;
  });
}
