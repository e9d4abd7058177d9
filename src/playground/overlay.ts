import { announce, byId, el, setText } from './dom.ts';
import { type Box, fullBox, intersection, moved, padded, resized, type Size } from './geometry.ts';
import { confidentFaces, type Face } from './pixelation_plan.ts';
import { newRegion, type Region, type Store } from './state.ts';

/** Corners and sides that can be dragged, by compass direction. */
const HANDLES = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'];
/** Share of the image's width and height that a new region covers. */
const NEW_REGION_SHARE = 0.2;
/** Share that a new crop covers. */
const NEW_CROP_SHARE = 0.8;
/** Share of the longer side that an arrow key moves a box by. */
const KEY_STEP_SHARE = 0.01;

/** The layer over the photo: faces to toggle, regions and the crop to move and resize. */
export function showOverlay(store: Store): void {
  const overlay = byId('overlay');
  const regions = new Map<number, HTMLElement>();
  const faces: HTMLElement[] = [];
  const crop = boxElement('crop-area');
  crop.dataset.crop = '';
  const shade = el('div', { className: 'shade' });
  overlay.append(shade);

  byId('add-region').addEventListener('click', () => {
    const frame = store.state.photo?.size;
    if (!frame) return;
    if (store.state.tool === 'crop') {
      store.updateSettings({ crop: store.state.settings.crop ?? centred(frame, NEW_CROP_SHARE) });
      store.scheduleRender();
      queueMicrotask(() => crop.focus());
      return;
    }
    const region = newRegion(centred(frame, NEW_REGION_SHARE));
    store.updateSettings({ regions: [...store.state.settings.regions, region] });
    announce('Region added in the middle.');
    queueMicrotask(() => regions.get(region.id)?.focus());
  });

  store.subscribe(() => {
    const { photo, settings, detectedFaces, view, tool } = store.state;
    overlay.hidden = view !== 'edit';
    // The style sheet lets the pointer grab only boxes of the active tool: the crop covers all others.
    overlay.dataset.tool = tool;
    const frame = photo?.size;
    if (!frame) {
      overlay.replaceChildren();
      return;
    }
    if (!shade.isConnected) overlay.append(shade);
    drawFaces(frame, settings.faces && detectedFaces ? detectedFaces : []);
    drawRegions(frame, settings.regions);
    drawCrop(frame, settings.crop);
  });

  function drawFaces(frame: Size, detected: readonly Face[]): void {
    const shown = confidentFaces(detected, store.state.settings.confidence);
    while (faces.length > shown.length) faces.pop()?.remove();
    shown.forEach((face, index) => {
      let element = faces[index];
      if (!element) {
        element = el('button', { type: 'button', className: 'face' }, el('span', { className: 'chip' }));
        faces.push(element);
        overlay.insertBefore(element, crop.isConnected ? crop : null);
      }
      element.dataset.face = String(detected.indexOf(face));
      place(element, intersection(padded(face, store.state.settings.padding), fullBox(frame)) ?? face, frame);
      const percent = `${Math.round(face.confidence * 100)} %`;
      setText(element.firstElementChild!, percent);
      element.setAttribute('aria-pressed', String(face.hidden));
      element.setAttribute('aria-label', `Hide face ${index + 1}, confidence ${percent}`);
    });
  }

  function drawRegions(frame: Size, current: readonly Region[]): void {
    const currentIds = new Set(current.map(({ id }) => id));
    for (const [id, element] of regions) {
      if (currentIds.has(id)) continue;
      regions.delete(id);
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
      place(element, region, frame);
      element.setAttribute('aria-label', `Region ${index + 1}, ${describeBox(region)}`);
    });
  }

  function drawCrop(frame: Size, box: Box | null): void {
    shade.hidden = box === null;
    if (!box) {
      crop.remove();
      return;
    }
    if (!crop.isConnected) overlay.append(crop);
    place(crop, box, frame);
    place(shade, box, frame);
    crop.setAttribute('aria-label', `Crop, ${describeBox(box)}`);
  }

  overlay.addEventListener('click', ({ target }) => {
    const face = target instanceof Element ? target.closest<HTMLElement>('[data-face]') : null;
    if (face) toggleFace(store, Number(face.dataset.face));
  });

  overlay.addEventListener('keydown', (event) => {
    const element = event.target instanceof HTMLElement ? event.target : null;
    const frame = store.state.photo?.size;
    if (!element || !frame) return;
    const box = boxOf(store, element);
    if (!box) return;
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      setBox(store, element, null);
      announce('Removed.');
      byId('add-region').focus();
      return;
    }
    const step = event.ctrlKey
      ? 1
      : Math.max(1, Math.round(Math.max(frame.width, frame.height) * KEY_STEP_SHARE));
    const dx = { ArrowLeft: -step, ArrowRight: step }[event.key] ?? 0;
    const dy = { ArrowUp: -step, ArrowDown: step }[event.key] ?? 0;
    if (dx === 0 && dy === 0) return;
    event.preventDefault();
    const changed = event.shiftKey
      ? resized(box, { horizontal: 1, vertical: 1 }, dx, dy, frame)
      : moved(box, dx, dy, frame);
    setBox(store, element, changed);
    announce(describeBox(changed));
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

function place({ style }: HTMLElement, { x, y, w, h }: Box, { width, height }: Size): void {
  style.left = toPercent(x, width);
  style.top = toPercent(y, height);
  style.width = toPercent(w, width);
  style.height = toPercent(h, height);
}

const describeBox = ({ x, y, w, h }: Box) =>
  `${Math.round(w)} by ${Math.round(h)} pixels at ${Math.round(x)}, ${Math.round(y)}`;

/** @param share of the image's width and height, 0 to 1 */
function centred({ width, height }: Size, share: number): Box {
  const w = Math.max(1, Math.round(width * share));
  const h = Math.max(1, Math.round(height * share));
  return { x: Math.round((width - w) / 2), y: Math.round((height - h) / 2), w, h };
}

/** Switches whether a detected face is hidden. @param index in `detectedFaces` */
function toggleFace(store: Store, index: number): void {
  const { detectedFaces } = store.state;
  const face = detectedFaces?.[index];
  if (!detectedFaces || !face) return;
  store.update({ detectedFaces: detectedFaces.with(index, { ...face, hidden: !face.hidden }) });
  announce(face.hidden ? 'Face left as it is.' : 'Face hidden.');
}

/** The box that an element stands for by its data attributes: the crop or a region; null for others. */
export function boxOf({ state }: Store, { dataset }: HTMLElement): Box | null {
  if (dataset.crop !== undefined) return state.settings.crop;
  return state.settings.regions.find(({ id }) => String(id) === dataset.region) ?? null;
}

/** Replaces the box that an element stands for. @param box null removes it */
export function setBox(store: Store, { dataset }: HTMLElement, box: Box | null): void {
  if (dataset.crop !== undefined) {
    store.updateSettings({ crop: box });
    return;
  }
  const { regions } = store.state.settings;
  const isTarget = ({ id }: Region) => String(id) === dataset.region;
  store.updateSettings({
    regions: box
      ? regions.map((region) =>
          isTarget(region) ? { id: region.id, x: box.x, y: box.y, w: box.w, h: box.h } : region,
        )
      : regions.filter((region) => !isTarget(region)),
  });
}
