import { byId } from '../dom.ts';
import { turnedSize } from '../geometry.ts';
import { isTurnedSince, type Store } from '../state.ts';

/**
 * A press counts as holding after this time, in milliseconds, unless it moves further than this, in CSS
 * pixels.
 */
const HOLD_MS = 150;
const HOLD_DISTANCE = 8;

/** Shows the whole result; the original replaces it while the photo is held, or when switched by a button. */
export function showComparison(store: Store): void {
  const box = byId('compare');
  const before = byId<HTMLImageElement>('before');
  const after = byId<HTMLImageElement>('after');
  const toggle = byId('show-original');
  let isToggled = false;
  let held: { readonly x: number; readonly y: number; readonly timer: number; isShown: boolean } | null =
    null;

  const show = () => {
    const isShown = isToggled || held?.isShown === true;
    byId('original').hidden = byId('original-tag').hidden = !isShown;
    toggle.setAttribute('aria-pressed', String(isToggled));
  };
  toggle.addEventListener('click', () => {
    isToggled = !isToggled;
    show();
  });
  const release = () => {
    if (held) clearTimeout(held.timer);
    held = null;
    show();
  };
  box.addEventListener('pointerdown', ({ clientX: x, clientY: y, isPrimary, button }) => {
    release();
    if (!isPrimary || button !== 0 || toggle.hidden) return;
    const timer = window.setTimeout(() => {
      if (held) held.isShown = true;
      show();
    }, HOLD_MS);
    held = { x, y, timer, isShown: false };
  });
  box.addEventListener('pointermove', ({ clientX, clientY }) => {
    if (held && !held.isShown && Math.hypot(clientX - held.x, clientY - held.y) > HOLD_DISTANCE) release();
  });
  for (const type of ['pointerup', 'pointercancel', 'pointerleave']) box.addEventListener(type, release);
  // On a long press the browser would otherwise open its menu over the original.
  box.addEventListener('contextmenu', (event) => held && event.preventDefault());

  store.view(
    ({ photo, result, view, settings }) => [photo, result, view, settings.turn],
    (photo, result, view, turn) => {
      const isShown = view === 'result' && result !== null;
      box.hidden = !isShown;
      toggle.hidden = !isShown || !photo?.displayUrl || isTurnedSince(result, turn);
      isToggled = false;
      release();
      if (!photo?.size || !isShown) return;
      const { crop, output } = result.request.target;
      byId('stage').style.setProperty('--ratio', String(output.width / output.height));
      if (after.src !== result.url) after.src = result.url;
      if (photo.displayUrl && before.src !== photo.displayUrl) before.src = photo.displayUrl;
      // The original is scaled and moved so that its cropped part lies exactly over the result. A turn is
      // about its centre.
      const { width, height } = turnedSize(photo.size, turn);
      before.style.width = `${(width / crop.w) * 100}%`;
      before.style.height = `${(height / crop.h) * 100}%`;
      before.style.left = `${(((photo.size.width - width) / 2 - crop.x) / crop.w) * 100}%`;
      before.style.top = `${(((photo.size.height - height) / 2 - crop.y) / crop.h) * 100}%`;
      before.style.rotate = `${turn}deg`;
    },
  );
}
