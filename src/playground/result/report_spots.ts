import { announce, byId, el } from '../dom.ts';
import { type Box, fromOutput, intersection, type Size } from '../geometry.ts';
import { type Drawable, pictureOf, release } from '../pictures/preview.ts';
import { rove } from '../rove.ts';
import { isFace } from '../settings/things.ts';
import { toggleFace } from '../stage/boxes.ts';
import { pictureCrop } from '../stage/picture_crop.ts';
import { isTurnedSince, type Result, type Store } from '../state.ts';
import { t } from '../texts.ts';

type Spot = Result['report']['belowConfidence'][number];

const spotsOf = ({ report, request }: Result): readonly Spot[] =>
  request.pixelation.faces ? report.belowConfidence : [];

/** The uncertain spots of the report, marked on the result, each with a button that hides it as well. */
export function showReportSpots(store: Store): void {
  const area = byId('report-spots');
  const list = byId('report-spot-list');
  const marks = byId('compare-spots');

  rove(list);

  store.view(
    ({ result, view, settings }) => (view === 'result' && result ? [result, settings.turn] : null),
    (result, turn) => {
      const spots = isTurnedSince(result, turn) ? [] : spotsOf(result);
      area.hidden = spots.length === 0;
      marks.replaceChildren(...spots.map((spot, index) => markOf(spot, `${index + 1}`, result.report)));
      list.replaceChildren();
      if (spots.length > 0) void showCrops(result);
    },
  );

  async function showCrops(result: Result): Promise<void> {
    const picture = await pictureOf(result.url, result.image, result.report);
    if (store.state.result === result)
      list.replaceChildren(...spotsOf(result).map((spot, at) => item(result, spot, at, picture)));
    if (picture) release(picture);
  }

  function item({ report, request }: Result, spot: Spot, at: number, picture: Drawable | null): HTMLElement {
    const button = el(
      'button',
      { type: 'button' },
      pictureCrop(picture, spot, report),
      el('span', { className: 'name', textContent: t('spot.name') }),
    );
    const percent = Math.round(spot.confidence * 100);
    button.setAttribute('aria-label', t('spot.label', { number: at + 1, percent }));
    button.addEventListener('click', () => {
      hideToo(fromOutput(spot, request.target), spot.confidence);
      button.disabled = true;
    });
    return el('li', {}, button);
  }

  /** @param confidence of the spot, 0 to 1 */
  function hideToo(spot: Box, confidence: number): void {
    const { detectedFaces, settings } = store.state;
    const index = detectedFaces?.findIndex(
      (face) => isFace(face) && face.confidence < settings.confidence && coversMost(face, spot),
    );
    if (index !== undefined && index >= 0) {
      if (!detectedFaces?.[index]?.isAdded) toggleFace(store, index);
      return;
    }
    // If the page itself did not look for faces, the service hides all spots of at least this confidence.
    store.updateSettings({ confidence: Math.floor(confidence * 100) / 100 });
    announce(t('spot.nowHidden'));
  }
}

/** Whether a tight box covers most of one that may have been padded. */
function coversMost(tight: Box, spot: Box): boolean {
  const shared = intersection(tight, spot);
  return shared !== null && shared.w * shared.h > 0.5 * tight.w * tight.h;
}

/** A mark on a picture of this size, with a short text. */
export function markOf({ x, y, w, h }: Box, text: string, { width, height }: Size): HTMLElement {
  const mark = el('span', { className: 'mark' }, el('span', { className: 'chip', textContent: text }));
  mark.style.left = `${(x / width) * 100}%`;
  mark.style.top = `${(y / height) * 100}%`;
  mark.style.width = `${(w / width) * 100}%`;
  mark.style.height = `${(h / height) * 100}%`;
  return mark;
}
