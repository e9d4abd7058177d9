import { toggleFace } from './boxes.ts';
import { announce, byId, el } from './dom.ts';
import { type Box, fromOutput, intersection, type Size } from './geometry.ts';
import { pictureCrop } from './picture_crop.ts';
import { drawableOf } from './preview.ts';
import type { Store } from './state.ts';
import { currentLanguage, t } from './texts.ts';

/** The uncertain spots of the report: marked on the result, each with a button that hides it too. */
export function showReportSpots(store: Store): void {
  const area = byId('report-spots');
  const list = byId('report-spot-list');
  const marks = byId('compare-spots');
  const after = byId<HTMLImageElement>('after');
  let rendered: unknown;
  let language = '';
  const isNew = (result: unknown) => result !== rendered || language !== currentLanguage();

  const draw = () => {
    const { result, view } = store.state;
    if (view !== 'result' || !result || !isNew(result)) return;
    const { report, request } = result;
    const spots = request.pixelation.faces ? report.belowConfidence : [];
    area.hidden = spots.length === 0;
    marks.replaceChildren(...spots.map((spot, index) => markOf(spot, index + 1, report)));
    if (spots.length > 0 && !after.complete) return;
    rendered = result;
    language = currentLanguage();
    list.replaceChildren(
      ...spots.map((spot, index) => {
        const button = el(
          'button',
          { type: 'button' },
          pictureCrop(drawableOf(after), spot, report),
          el('span', { className: 'name', textContent: t('spot.name') }),
        );
        const percent = Math.round(spot.confidence * 100);
        button.setAttribute('aria-label', t('spot.label', { number: index + 1, percent }));
        button.addEventListener('click', () => {
          hideToo(fromOutput(spot, request.target), spot.confidence);
          button.disabled = true;
        });
        return el('li', {}, button);
      }),
    );
  };
  after.addEventListener('load', draw);
  store.subscribe(draw);

  /** @param confidence of the spot, 0 to 1 */
  function hideToo(spot: Box, confidence: number): void {
    const { detectedFaces, settings } = store.state;
    const index = detectedFaces?.findIndex(
      (face) => face.confidence < settings.confidence && coversMost(face, spot),
    );
    if (index !== undefined && index >= 0) {
      if (!detectedFaces?.[index]?.isAdded) toggleFace(store, index);
      return;
    }
    // Where the page has not looked for faces itself, the service hides all that are as likely as this one.
    store.updateSettings({ confidence: Math.floor(confidence * 100) / 100 });
    announce(t('spot.nowHidden'));
  }
}

/** Whether a tight box covers most of one that may have been padded. */
function coversMost(tight: Box, spot: Box): boolean {
  const shared = intersection(tight, spot);
  return shared !== null && shared.w * shared.h > 0.5 * tight.w * tight.h;
}

function markOf({ x, y, w, h }: Box, number: number, { width, height }: Size): HTMLElement {
  const mark = el('span', { className: 'mark' }, el('span', { className: 'chip', textContent: `${number}` }));
  mark.style.left = `${(x / width) * 100}%`;
  mark.style.top = `${(y / height) * 100}%`;
  mark.style.width = `${(w / width) * 100}%`;
  mark.style.height = `${(h / height) * 100}%`;
  return mark;
}
