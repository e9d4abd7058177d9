import { announce, byId, el, setText } from './dom.ts';
import { type Box, moved, padded, resized, type Size, sharedBox, wholeOf } from './geometry.ts';
import { type Face, shownFaces } from './hiding.ts';
import { newRegion, type Region, type Store } from './state.ts';

/** Corners and sides that can be dragged, by compass. */
const HANDLES = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'];
/** A new region is this part of the picture's width and height. */
const NEW_REGION = 0.2;
/** An arrow key moves by this part of the longer side. */
const STEP = 0.01;

/** Everything that lies over the photo: faces to click, regions and the crop to move. */
export function showOverlay(store: Store): void {
  const overlay = byId('overlay');
  const regions = new Map<number, HTMLElement>();
  const faces: HTMLElement[] = [];
  const crop = boxElement('crop-area');
  crop.dataset.crop = '';
  const shade = el('div', { className: 'shade' });
  overlay.append(shade);

  byId('add-region').addEventListener('click', () => {
    const frame = store.state.photo?.frame;
    if (!frame) return;
    if (store.state.tool === 'crop') {
      store.set({ crop: store.state.settings.crop ?? centred(frame, 0.8) });
      store.redraw();
      queueMicrotask(() => crop.focus());
      return;
    }
    const region = newRegion(centred(frame, NEW_REGION));
    store.set({ regions: [...store.state.settings.regions, region] });
    announce('Region added in the middle.');
    queueMicrotask(() => regions.get(region.id)?.focus());
  });

  store.view(() => {
    const { photo, settings, found, view, tool } = store.state;
    overlay.hidden = view !== 'edit';
    // Only what the tool is for can be grabbed: the crop would lie over everything else.
    overlay.dataset.tool = tool;
    const frame = photo?.frame;
    if (!frame) {
      overlay.replaceChildren();
      return;
    }
    if (!shade.isConnected) overlay.append(shade);
    drawFaces(frame, settings.faces && found ? found : []);
    drawRegions(frame, settings.regions);
    drawCrop(frame, settings.crop);
  });

  function drawFaces(frame: Size, found: readonly Face[]): void {
    const shown = shownFaces({ found, confidence: store.state.settings.confidence });
    while (faces.length > shown.length) faces.pop()?.remove();
    shown.forEach((face, index) => {
      let element = faces[index];
      if (!element) {
        element = el('button', { type: 'button', className: 'face' }, el('span', { className: 'chip' }));
        faces.push(element);
        overlay.insertBefore(element, crop.isConnected ? crop : null);
      }
      element.dataset.face = String(found.indexOf(face));
      place(element, sharedBox(padded(face, store.state.settings.padding), wholeOf(frame)) ?? face, frame);
      const percent = `${Math.round(face.confidence * 100)} %`;
      setText(element.firstElementChild!, percent);
      element.setAttribute('aria-pressed', String(face.hidden));
      element.setAttribute('aria-label', `Hide face ${index + 1}, confidence ${percent}`);
    });
  }

  function drawRegions(frame: Size, wanted: readonly Region[]): void {
    const kept = new Set(wanted.map(({ id }) => id));
    for (const [id, element] of regions) {
      if (kept.has(id)) continue;
      regions.delete(id);
      element.remove();
    }
    wanted.forEach((region, index) => {
      let element = regions.get(region.id);
      if (!element) {
        element = boxElement('region');
        element.dataset.region = String(region.id);
        regions.set(region.id, element);
        overlay.append(element);
      }
      place(element, region, frame);
      element.setAttribute('aria-label', `Region ${index + 1}, ${spoken(region)}`);
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
    crop.setAttribute('aria-label', `Crop, ${spoken(box)}`);
  }

  overlay.addEventListener('click', ({ target }) => {
    const face = target instanceof Element ? target.closest<HTMLElement>('[data-face]') : null;
    if (face) toggleFace(store, Number(face.dataset.face));
  });

  overlay.addEventListener('keydown', (event) => {
    const element = event.target instanceof HTMLElement ? event.target : null;
    const frame = store.state.photo?.frame;
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
    const step = event.ctrlKey ? 1 : Math.max(1, Math.round(Math.max(frame.width, frame.height) * STEP));
    const dx = { ArrowLeft: -step, ArrowRight: step }[event.key] ?? 0;
    const dy = { ArrowUp: -step, ArrowDown: step }[event.key] ?? 0;
    if (dx === 0 && dy === 0) return;
    event.preventDefault();
    const changed = event.shiftKey
      ? resized(box, { across: 1, along: 1 }, dx, dy, frame)
      : moved(box, dx, dy, frame);
    setBox(store, element, changed);
    announce(spoken(changed));
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

const percentOf = (part: number, whole: number) => `${(part / whole) * 100}%`;

function place({ style }: HTMLElement, { x, y, w, h }: Box, { width, height }: Size): void {
  style.left = percentOf(x, width);
  style.top = percentOf(y, height);
  style.width = percentOf(w, width);
  style.height = percentOf(h, height);
}

const spoken = ({ x, y, w, h }: Box) =>
  `${Math.round(w)} by ${Math.round(h)} pixels at ${Math.round(x)}, ${Math.round(y)}`;

function centred({ width, height }: Size, part: number): Box {
  const w = Math.max(1, Math.round(width * part));
  const h = Math.max(1, Math.round(height * part));
  return { x: Math.round((width - w) / 2), y: Math.round((height - h) / 2), w, h };
}

function toggleFace(store: Store, index: number): void {
  const { found } = store.state;
  const face = found?.[index];
  if (!found || !face) return;
  store.update({ found: found.with(index, { ...face, hidden: !face.hidden }) });
  announce(face.hidden ? 'Face left as it is.' : 'Face hidden.');
}

/** The box that an element of the overlay stands for, the crop or a region; null for anything else. */
export function boxOf({ state }: Store, { dataset }: HTMLElement): Box | null {
  if (dataset.crop !== undefined) return state.settings.crop;
  return state.settings.regions.find(({ id }) => String(id) === dataset.region) ?? null;
}

/** @param box null removes it */
export function setBox(store: Store, { dataset }: HTMLElement, box: Box | null): void {
  if (dataset.crop !== undefined) {
    store.set({ crop: box });
    return;
  }
  const { regions } = store.state.settings;
  const isIt = ({ id }: Region) => String(id) === dataset.region;
  store.set({
    regions: box
      ? regions.map((region) =>
          isIt(region) ? { id: region.id, x: box.x, y: box.y, w: box.w, h: box.h } : region,
        )
      : regions.filter((region) => !isIt(region)),
  });
}
