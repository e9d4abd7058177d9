import { byId } from './dom.ts';
import type { Store } from './state.ts';

/** Before and after, one over the other, with a line to drag between them. */
export function showComparison(store: Store): void {
  const box = byId('compare');
  const stage = byId('stage');
  const before = byId<HTMLImageElement>('before');
  const after = byId<HTMLImageElement>('after');
  const split = byId<HTMLInputElement>('split');
  const divide = () => {
    box.style.setProperty('--split', `${split.value}%`);
    split.setAttribute('aria-valuetext', `${split.value} % original`);
  };
  split.addEventListener('input', divide);
  divide();

  store.view(() => {
    const { photo, result, view } = store.state;
    box.hidden = view !== 'result' || !result;
    if (!photo?.frame || !result || view !== 'result') return;
    const { crop, output } = result.order.target;
    stage.style.setProperty('--ratio', String(output.width / output.height));
    if (after.src !== result.address) after.src = result.address;
    box.classList.toggle('alone', photo.shown === null);
    if (photo.shown && before.src !== photo.shown) before.src = photo.shown;
    // The original lies under the result so that the part that was kept coincides.
    before.style.width = `${(photo.frame.width / crop.w) * 100}%`;
    before.style.height = `${(photo.frame.height / crop.h) * 100}%`;
    before.style.left = `${(-crop.x / crop.w) * 100}%`;
    before.style.top = `${(-crop.y / crop.h) * 100}%`;
  });
}
