import { byId, el, setText } from '../dom.ts';
import type { Size } from '../geometry.ts';
import { previewOf } from '../pictures/preview.ts';
import { rove } from '../rove.ts';
import { describeFaces, describeVisible } from '../settings/counts.ts';
import { confidentFaces, type Face } from '../settings/pixelation_plan.ts';
import { planOf, type Store } from '../state.ts';
import { t } from '../texts.ts';
import { toggleFace } from './boxes.ts';
import { describe, percent } from './crop_names.ts';
import { pictureCrop } from './picture_crop.ts';
import { thingStrip } from './thing_strip.ts';
import { uncertainSpots } from './uncertain_spots.ts';
import type { Zoom } from './zoom.ts';

/** Each found face as an enlarged crop that toggles whether it is hidden; then uncertain spots and things. */
export function showFaceStrip(store: Store, zoom: Zoom): void {
  const strip = byId('face-strip');
  const list = byId('face-list');
  const spotList = byId('spot-list');
  const count = byId('strip-count');
  const preview = previewOf(store);
  const listed = new Map<HTMLElement, unknown[]>();
  const showThings = thingStrip(store, cropButton);

  rove(list);
  rove(spotList);
  function point(index: number, isPointed: boolean): void {
    document.querySelector(`#overlay [data-face="${index}"]`)?.classList.toggle('pointed', isPointed);
  }

  /** Buttons by the face's index; kept while the same faces are listed, so that the focus is not lost. */
  function sync(parent: HTMLElement, faces: readonly Face[], shown: readonly Face[], size: Size): void {
    const indexes = shown.map((face) => faces.indexOf(face));
    const key = [preview.shown, ...indexes];
    const last = listed.get(parent);
    if (key.length === last?.length && key.every((part, at) => part === last[at])) return;
    listed.set(parent, key);
    parent.replaceChildren(...indexes.map((index) => cropButton(index, size)));
  }

  /** @param widest largest ratio of width to height for its picture */
  function cropButton(index: number, size: Size, widest = 1): HTMLElement {
    const face = store.state.detectedFaces![index]!;
    const crop = pictureCrop(preview.shown, face, size, widest);
    const button = el('button', { type: 'button' }, crop, el('span', { className: 'name' }));
    button.dataset.face = String(index);
    button.addEventListener('click', () => toggleFace(store, index));
    button.addEventListener('pointerenter', () => point(index, true));
    button.addEventListener('pointerleave', () => point(index, false));
    button.addEventListener('focus', () => {
      point(index, true);
      zoom.reveal(face, size);
    });
    button.addEventListener('blur', () => point(index, false));
    return el('li', {}, button);
  }

  store.subscribe(() => {
    const { photo, settings, detectedFaces, view } = store.state;
    const size = photo?.size;
    const isShown = view === 'edit' && settings.faces && Boolean(detectedFaces) && Boolean(size);
    const faces = isShown && detectedFaces ? detectedFaces : [];
    const certain = confidentFaces(faces, settings.confidence);
    const uncertain = uncertainSpots(faces, settings.regions, settings);
    const hasThings = showThings(preview.shown);
    const plan = view === 'edit' ? planOf(store.state) : null;
    const visible = describeVisible(plan?.pixelation);
    // It takes the same room whatever it says, so that no tap moves the photo.
    setText(count, visible || (certain.length > 0 ? describeFaces(store.state) : ''));
    count.classList.toggle('exposed', visible !== '');
    strip.hidden = certain.length + uncertain.length === 0 && !hasThings;
    list.hidden = certain.length === 0;
    byId('spots').hidden = uncertain.length === 0;
    if (!size) return;
    sync(list, faces, certain, size);
    sync(spotList, faces, uncertain, size);
    describe(list, certain, (face, number) => ({
      label: t('face.label', { number, percent: percent(face) }),
      name: t('face.name', { number }),
      isHidden: face.hidden,
    }));
    describe(spotList, uncertain, (face, number) => ({
      label: t('spot.label', { number, percent: percent(face) }),
      name: t('spot.name'),
      isHidden: face.isAdded ?? false,
    }));
  });
}
