import { byId, el, setText } from '../dom.ts';
import type { Box, Size } from '../geometry.ts';
import { ARROWS, rove } from '../rove.ts';
import { areaOf, confidentFaces, type Face } from '../settings/pixelation_plan.ts';
import { chosenKinds } from '../settings/things.ts';
import type { DrawnRegion, Store } from '../state.ts';
import { t } from '../texts.ts';
import { boxOf, describeBox, toggleFace } from './boxes.ts';
import { labelsThatFit } from './face_labels.ts';
import { thingBoxes } from './thing_boxes.ts';
import { uncertainSpots } from './uncertain_spots.ts';
import type { Zoom } from './zoom.ts';

/** The handles at corners and sides, by compass direction. */
const HANDLES = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'];
/**
 * Size of a face's label (`LABEL`), and the shortest side of a box that has all its handles, in CSS pixels.
 */
const LABEL = { width: 24, height: 20 };
const MIN_HANDLED_SIDE = 64;

/** The layer over the photo: faces and things to toggle; regions and the crop to move and resize. */
export function showOverlay(store: Store, zoom: Zoom): void {
  const overlay = byId('overlay');
  const regions = new Map<number, HTMLElement>();
  const faces: HTMLElement[] = [];
  const spots: HTMLElement[] = [];
  const crop = boxElement('crop-area');
  crop.dataset.crop = '';
  const shade = el('div', { className: 'shade' });
  const shadeClip = el('div', { className: 'shade-clip' }, shade);
  const drawThings = thingBoxes((element) => overlay.insertBefore(element, shadeClip), fix);

  const draw = () => {
    const { photo, settings, detectedFaces, view, tool } = store.state;
    overlay.hidden = view !== 'edit';
    // The style sheet lets the pointer grab only boxes of the active tool: the crop covers all others.
    overlay.dataset.tool = tool;
    byId('stage').dataset.tool = view === 'edit' ? tool : 'move';
    const frame = photo?.size;
    if (!frame) {
      overlay.replaceChildren();
      return;
    }
    if (!shadeClip.isConnected) overlay.append(shadeClip);
    const found = settings.faces && detectedFaces ? detectedFaces : [];
    drawFaces(frame, found, confidentFaces(found, settings.confidence), faces, 'face');
    drawFaces(frame, found, uncertainSpots(found, settings.regions, settings), spots, 'face spot');
    drawThings(frame, detectedFaces ?? [], chosenKinds(settings));
    drawRegions(frame, settings.regions);
    drawCrop(frame, settings.crop);
  };
  store.subscribe(draw);
  zoom.onZoom(draw);
  // Arrow keys move a box, but lead from one found thing to the next. Keys reach spots in the strip.
  rove(overlay, 'button:not(.spot)', { PageDown: 1, PageUp: -1, Home: -Infinity, End: Infinity });
  overlay.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    const step = key.startsWith('Arrow') && !ctrlKey && !metaKey && !altKey ? ARROWS[key] : undefined;
    const found = [...overlay.querySelectorAll<HTMLElement>('.face:not(.spot)')];
    const at = found.indexOf(target as HTMLElement);
    if (step === undefined || at < 0) return;
    event.preventDefault();
    found[at + step]?.focus();
  });

  function drawFaces(
    frame: Size,
    detected: readonly Face[],
    shown: readonly Face[],
    elements: HTMLElement[],
    className: string,
  ): void {
    while (elements.length > shown.length) elements.pop()?.remove();
    const boxes = shown.map((face) => areaOf(face, store.state.settings.padding, frame));
    const fits = labelsThatFit(boxes.map(onScreen), LABEL);
    shown.forEach((face, index) => {
      let element = elements[index];
      if (!element) {
        const tabIndex = elements === spots ? -1 : 0;
        element = el('button', { type: 'button', className, tabIndex }, el('span', { className: 'chip' }));
        elements.push(element);
        overlay.insertBefore(element, shadeClip);
      }
      element.dataset.face = String(detected.indexOf(face));
      place(element, boxes[index]!, frame);
      const isSpot = elements === spots;
      const isHidden = isSpot ? (face.isAdded ?? false) : face.hidden;
      const chip = element.firstElementChild as HTMLElement;
      setText(chip, isSpot ? '?' : String(index + 1));
      chip.hidden = !fits[index];
      element.setAttribute('aria-pressed', String(isHidden));
      const values = { number: index + 1, percent: Math.round(face.confidence * 100) };
      element.setAttribute('aria-label', t(isSpot ? 'spot.label' : 'face.label', values));
    });
  }

  function onScreen({ x, y, w, h }: Box): Box {
    const { scale } = zoom;
    return { x: x * scale, y: y * scale, w: w * scale, h: h * scale };
  }

  function drawRegions(frame: Size, current: readonly DrawnRegion[]): void {
    const currentIds = new Set(current.map(({ id }) => id));
    for (const [id, element] of regions) {
      if (currentIds.has(id)) continue;
      regions.delete(id);
      if (element === document.activeElement) byId('stage').focus({ preventScroll: true });
      element.remove();
    }
    current.forEach((region, index) => {
      let element = regions.get(region.id);
      if (!element) {
        element = boxElement('region');
        element.dataset.region = String(region.id);
        regions.set(region.id, element);
        overlay.append(element);
      }
      placeHandled(element, region, frame);
      element.classList.toggle('ellipse', region.shape === 'ellipse');
      element.setAttribute(
        'aria-label',
        t(region.shape === 'ellipse' ? 'ellipse.label' : 'region.label', {
          number: index + 1,
          place: describeBox(region),
        }),
      );
    });
  }

  function drawCrop(frame: Size, box: Box | null): void {
    shade.hidden = box === null;
    if (!box) {
      crop.remove();
      return;
    }
    if (!crop.isConnected) overlay.append(crop);
    placeHandled(crop, box, frame);
    place(shade, box, frame);
    crop.setAttribute('aria-label', t('crop.label', { place: describeBox(box) }));
  }

  /** A box too small for eight handles keeps only the lower right one. */
  function placeHandled(element: HTMLElement, box: Box, frame: Size): void {
    place(element, box, frame);
    element.classList.toggle('small', Math.min(box.w, box.h) * zoom.scale < MIN_HANDLED_SIDE);
  }

  overlay.addEventListener('click', ({ target }) => {
    const face = target instanceof Element ? target.closest<HTMLElement>('[data-face]') : null;
    if (face) toggleFace(store, Number(face.dataset.face));
  });

  overlay.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    const { detectedFaces, settings, photo } = store.state;
    const frame = photo?.size;
    const found = detectedFaces?.[Number(target.dataset.face)];
    const box = found && frame ? areaOf(found, settings.padding, frame) : boxOf(store, target);
    if (box && frame && target.matches(':focus-visible')) zoom.reveal(box, frame);
  });
}

function boxElement(className: string): HTMLElement {
  const handles = HANDLES.map((name) => {
    const handle = el('span', { className: `handle ${name}` });
    handle.dataset.handle = name;
    return handle;
  });
  const element = el('button', { type: 'button', className }, ...handles);
  element.setAttribute('aria-describedby', 'region-help');
  return element;
}

const toPercent = (part: number, whole: number) => `${(part / whole) * 100}%`;

/**
 * Places an element over a box that is not moved, without container units: browsers recompute the style of
 * elements with such units at each layout of the container, several times per change, which is noticeable
 * with hundreds of elements.
 */
function fix({ style }: HTMLElement, { x, y, w, h }: Box, { width, height }: Size): void {
  style.left = toPercent(x, width);
  style.top = toPercent(y, height);
  style.width = toPercent(w, width);
  style.height = toPercent(h, height);
}

/** Places an element over a box of the photo by a transform, so that moving it needs no new layout. */
function place({ style }: HTMLElement, { x, y, w, h }: Box, { width, height }: Size): void {
  style.translate = `${(x / width) * 100}cqw ${(y / height) * 100}cqh`;
  style.width = toPercent(w, width);
  style.height = toPercent(h, height);
}
