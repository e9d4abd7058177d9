import { announce, byId } from '../dom.ts';
import { type Box, boxBetween, type Handle, moved, resized, type Size, toFrame } from '../geometry.ts';
import { newRegion, type Store } from '../state.ts';
import { t } from '../texts.ts';
import { boxOf, setBox } from './boxes.ts';
import { drawnToRatio, ratioOf, resizedToRatio } from './crop_ratio.ts';
import type { Zoom } from './zoom.ts';

/** A pointer that moves less than this is a click, in CSS pixels; a finger is less steady. */
const CLICK_DISTANCE = 4;
const TAP_DISTANCE = 10;
/** Drawn boxes with a shorter side are discarded, in CSS pixels. */
const MIN_DRAWN_SIDE = 8;

interface Gesture {
  readonly pointerId: number;
  /** The start of the gesture: in CSS pixels of the window, and in the frame (see geometry.ts). */
  readonly clientStart: { x: number; y: number };
  readonly start: { x: number; y: number };
  /** Where the photo is displayed: read once, so that no movement waits for the layout. */
  readonly displayed: Box;
  /** The box being moved, or resized by a handle; null while a new one is drawn. */
  readonly edited: { element: HTMLElement; box: Box; handle: Handle | null } | null;
  /** The crop before the gesture, restored if the new one is discarded. */
  readonly previousCrop: Box | null;
  /** What was drawn: the id of a region, or the crop. */
  drawn: number | 'crop' | null;
  isDragging: boolean;
}

export interface BoxGestures {
  /** Cancels the current gesture, if there is one, and undoes its effects. */
  cancel(): void;
}

/**
 * Lets mouse, pen and touch draw regions and the crop, and move and resize these. A drag that begins on what
 * was found draws, too.
 */
export function editBoxesByPointer(store: Store, zoom: Zoom): BoxGestures {
  const frameElement = byId('frame');
  let gesture: Gesture | null = null;

  const displayedBox = (): Box => {
    const { left, top, width, height } = frameElement.getBoundingClientRect();
    return { x: left, y: top, w: width, h: height };
  };
  const cropRatio = (size: Size) => ratioOf(store.state.cropRatio, size);

  frameElement.addEventListener('pointerdown', (event) => {
    const size = store.state.photo?.size;
    if (!size || gesture || event.button !== 0 || !event.isPrimary) return;
    const target = event.target as Element;
    const element = target.closest<HTMLElement>('[data-region], [data-crop]');
    const box = element && boxOf(store, element);
    if (!box && store.state.tool === 'move') return;
    const name = target.closest<HTMLElement>('[data-handle]')?.dataset.handle;
    const displayed = displayedBox();
    gesture = {
      pointerId: event.pointerId,
      clientStart: { x: event.clientX, y: event.clientY },
      start: toFrame({ x: event.clientX, y: event.clientY }, displayed, size),
      displayed,
      edited: element && box ? { element, box, handle: name ? handleOf(name) : null } : null,
      previousCrop: store.state.settings.crop,
      drawn: null,
      isDragging: false,
    };
  });

  frameElement.addEventListener('pointermove', (event) => {
    const size = store.state.photo?.size;
    if (!gesture || !size || event.pointerId !== gesture.pointerId) return;
    const { start, displayed, clientStart } = gesture;
    const point = toFrame({ x: event.clientX, y: event.clientY }, displayed, size);
    const distance = Math.hypot(event.clientX - clientStart.x, event.clientY - clientStart.y);
    if (!gesture.isDragging) {
      if (distance < (event.pointerType === 'touch' ? TAP_DISTANCE : CLICK_DISTANCE)) return;
      gesture.isDragging = true;
      // From here on it is a drag, so the element underneath must not receive a click.
      frameElement.setPointerCapture(event.pointerId);
      gesture.edited?.element.focus({ preventScroll: true });
    }
    const dx = point.x - start.x;
    const dy = point.y - start.y;
    if (gesture.edited) {
      const { element, box, handle } = gesture.edited;
      const ratio = element.dataset.crop === undefined ? null : cropRatio(size);
      if (!handle) setBox(store, element, moved(box, dx, dy, size));
      else if (ratio === null) setBox(store, element, resized(box, handle, dx, dy, size));
      else setBox(store, element, resizedToRatio(box, handle, dx, dy, ratio, size));
    } else draw(gesture, point, size);
  });

  const end = (isKept: boolean) => {
    if (!gesture) return;
    const { drawn, edited, previousCrop, displayed } = gesture;
    gesture = null;
    const size = store.state.photo?.size;
    const { regions, crop } = store.state.settings;
    if (!isKept && edited) return setBox(store, edited.element, edited.box);
    const box = drawn === 'crop' ? crop : regions.find(({ id }) => id === drawn);
    if (drawn === null || !box || !size) return;
    const scale = displayed.w / size.width;
    if (isKept && Math.min(box.w, box.h) * scale >= MIN_DRAWN_SIDE) {
      announce(t(drawn === 'crop' ? 'crop.set' : 'region.added'));
      return;
    }
    if (drawn === 'crop') store.updateSettings({ crop: previousCrop });
    else store.updateSettings({ regions: regions.filter(({ id }) => id !== drawn) });
  };
  const endOf = (isKept: boolean) => (event: PointerEvent) => {
    if (event.pointerId === gesture?.pointerId) end(isKept);
  };
  frameElement.addEventListener('pointerup', endOf(true));
  frameElement.addEventListener('pointercancel', endOf(false));
  // After zooming, the photo is no longer where the gesture began.
  zoom.onZoom(() => end(false));

  function draw(current: Gesture, point: { x: number; y: number }, size: Size): void {
    const { regions } = store.state.settings;
    const box = boxBetween(current.start, point);
    if (store.state.tool === 'crop') {
      current.drawn = 'crop';
      const ratio = cropRatio(size);
      store.updateSettings({ crop: ratio === null ? box : drawnToRatio(current.start, point, ratio, size) });
    } else if (typeof current.drawn === 'number') {
      store.updateSettings({
        regions: regions.map((region) => (region.id === current.drawn ? { ...region, ...box } : region)),
      });
    } else {
      const region = newRegion(box, store.state.shape);
      current.drawn = region.id;
      store.updateSettings({ regions: [...regions, region] });
    }
  }

  byId('tools').addEventListener('click', ({ target }) => {
    const tool = target instanceof HTMLElement ? target.dataset.tool : undefined;
    if (tool === 'move' || tool === 'hide' || tool === 'crop') store.update({ tool });
  });

  return { cancel: () => end(false) };
}

/** @param name compass direction of the handle, e.g. `nw` */
function handleOf(name: string): Handle {
  const horizontal = name.includes('w') ? -1 : name.includes('e') ? 1 : 0;
  const vertical = name.includes('n') ? -1 : name.includes('s') ? 1 : 0;
  return { horizontal, vertical };
}
