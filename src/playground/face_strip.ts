import { toggleFace } from './boxes.ts';
import { byId, el, setText } from './dom.ts';
import { type Box, fullBox, intersection, padded, type Size } from './geometry.ts';
import { confidentFaces, type Face } from './pixelation_plan.ts';
import type { Store } from './state.ts';
import { uncertainSpots } from './uncertain_spots.ts';
import type { Zoom } from './zoom.ts';

/** Edge of an enlarged crop in pixels: twice its size on the page. */
const CROP_EDGE = 128;
/** A crop shows the face's longer side times this. */
const SURROUNDINGS = 1.5;

/** Each face found as an enlarged crop that switches whether it is hidden, then the uncertain spots. */
export function showFaceStrip(store: Store, zoom: Zoom): void {
  const strip = byId('face-strip');
  const list = byId('face-list');
  const spotList = byId('spot-list');
  const picture = byId<HTMLImageElement>('picture');

  const point = (index: number, isPointed: boolean) => {
    document.querySelector(`#overlay [data-face="${index}"]`)?.classList.toggle('pointed', isPointed);
  };

  /** Buttons by the face's index; kept while the same faces are listed, so that the focus stays. */
  function sync(parent: HTMLElement, indexes: readonly number[], size: Size): void {
    const key = `${store.state.photo?.displayUrl} ${JSON.stringify(indexes)} ${store.state.settings.confidence}`;
    if (parent.dataset.faces !== key) {
      parent.dataset.faces = key;
      parent.replaceChildren(...indexes.map((index) => cropButton(index, size)));
    }
  }

  function cropButton(index: number, size: Size): HTMLElement {
    const canvas = el('canvas', { width: CROP_EDGE, height: CROP_EDGE });
    canvas.setAttribute('aria-hidden', 'true');
    const button = el('button', { type: 'button' }, canvas, el('span', { className: 'state' }));
    button.dataset.face = String(index);
    const face = store.state.detectedFaces![index]!;
    drawCrop(canvas, face, size);
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

  function drawCrop(canvas: HTMLCanvasElement, face: Box, size: Size): void {
    const context = canvas.getContext('2d');
    const area = intersection(squareAround(face), fullBox(size));
    if (!context || !area || !picture.complete || picture.naturalWidth === 0) return;
    const scale = picture.naturalWidth / size.width;
    const edge = squareAround(face).w;
    const around = squareAround(face);
    context.imageSmoothingQuality = 'high';
    context.drawImage(
      picture,
      area.x * scale,
      area.y * scale,
      area.w * scale,
      area.h * scale,
      ((area.x - around.x) / edge) * CROP_EDGE,
      ((area.y - around.y) / edge) * CROP_EDGE,
      (area.w / edge) * CROP_EDGE,
      (area.h / edge) * CROP_EDGE,
    );
  }

  const draw = () => {
    const { photo, settings, detectedFaces, view } = store.state;
    const size = photo?.size;
    const isShown = view === 'edit' && settings.faces && Boolean(detectedFaces) && Boolean(size);
    const faces = isShown && detectedFaces ? detectedFaces : [];
    const certain = confidentFaces(faces, settings.confidence);
    const uncertain = uncertainSpots(faces, settings.regions, settings);
    strip.hidden = certain.length + uncertain.length === 0;
    list.hidden = certain.length === 0;
    byId('spots').hidden = uncertain.length === 0;
    if (!size) return;
    sync(
      list,
      certain.map((face) => faces.indexOf(face)),
      size,
    );
    sync(
      spotList,
      uncertain.map((face) => faces.indexOf(face)),
      size,
    );
    describe(list, certain, (face, number) => [
      `Hide face ${number}, confidence ${percent(face)}`,
      face.hidden ? `${number} hidden` : `${number} shown`,
      face.hidden,
    ]);
    describe(spotList, uncertain, (face, number) => [
      `Hide this spot too, ${number}, confidence ${percent(face)}`,
      face.isAdded ? 'hidden' : 'hide too',
      face.isAdded ?? false,
    ]);
  };

  store.subscribe(draw);
  picture.addEventListener('load', () => {
    list.dataset.faces = spotList.dataset.faces = '';
    draw();
  });
}

const percent = ({ confidence }: Face) => `${Math.round(confidence * 100)} %`;

function describe(
  list: HTMLElement,
  faces: readonly Face[],
  textsOf: (face: Face, number: number) => readonly [label: string, state: string, isPressed: boolean],
): void {
  faces.forEach((face, at) => {
    const button = list.children[at]!.firstElementChild!;
    const [label, state, isPressed] = textsOf(face, at + 1);
    if (button.getAttribute('aria-label') !== label) button.setAttribute('aria-label', label);
    setText(button.lastElementChild!, state);
    button.setAttribute('aria-pressed', String(isPressed));
  });
}

/** The square that a crop shows, about the face's middle; it may reach over the photo's edge. */
function squareAround(face: Box): Box {
  const edge = Math.max(face.w, face.h) * SURROUNDINGS;
  const { x, y } = padded(face, 0);
  return { x: x - edge / 2, y: y - edge / 2, w: edge, h: edge };
}
