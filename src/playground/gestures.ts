import { announce, byId } from './dom.ts';
import { type Box, boxBetween, type Handle, moved, resized, toFrame } from './geometry.ts';
import { boxOf, setBox } from './overlay.ts';
import { newRegion, type Store } from './state.ts';

/** A pointer that moves less than this is a click, in CSS pixels. */
const CLICK_DISTANCE = 4;
/** Shorter sides than this are not kept as a drawn box, in CSS pixels. */
const MIN_DRAWN_SIDE = 8;

interface Gesture {
  readonly pointerId: number;
  /** Where it began: in CSS pixels of the window, and in the frame (see geometry.ts). */
  readonly clientStart: { x: number; y: number };
  readonly start: { x: number; y: number };
  /** The box that is moved, or resized by a handle; null while a new one is drawn. */
  readonly edited: { element: HTMLElement; box: Box; handle: Handle | null } | null;
  /** The crop before the gesture, which comes back if the new one is not kept. */
  readonly previousCrop: Box | null;
  /** What has been drawn: a region, by its id, or the crop. */
  drawn: number | 'crop' | null;
  isDragging: boolean;
}

/** Lets regions and the crop be drawn, moved and resized by mouse, pen and touch. */
export function editBoxesByPointer(store: Store): void {
  const frameElement = byId('frame');
  let gesture: Gesture | null = null;

  const displayedBox = (): Box => {
    const { left, top, width, height } = frameElement.getBoundingClientRect();
    return { x: left, y: top, w: width, h: height };
  };
  const inFrame = ({ clientX, clientY }: PointerEvent) => {
    const size = store.state.photo?.size;
    return size ? toFrame({ x: clientX, y: clientY }, displayedBox(), size) : null;
  };

  frameElement.addEventListener('pointerdown', (event) => {
    const point = inFrame(event);
    if (!point || gesture || event.button !== 0) return;
    const target = event.target as Element;
    const element = target.closest<HTMLElement>('[data-region], [data-crop]');
    const box = element && boxOf(store, element);
    const name = target.closest<HTMLElement>('[data-handle]')?.dataset.handle;
    gesture = {
      pointerId: event.pointerId,
      clientStart: { x: event.clientX, y: event.clientY },
      start: point,
      edited: element && box ? { element, box, handle: name ? handleOf(name) : null } : null,
      previousCrop: store.state.settings.crop,
      drawn: null,
      isDragging: false,
    };
  });

  frameElement.addEventListener('pointermove', (event) => {
    const size = store.state.photo?.size;
    const point = inFrame(event);
    if (!gesture || !size || !point || event.pointerId !== gesture.pointerId) return;
    const distance = Math.hypot(event.clientX - gesture.clientStart.x, event.clientY - gesture.clientStart.y);
    if (!gesture.isDragging) {
      if (distance < CLICK_DISTANCE) return;
      gesture.isDragging = true;
      // From here on it is a drag, so the element below must not get a click.
      frameElement.setPointerCapture(event.pointerId);
      gesture.edited?.element.focus({ preventScroll: true });
    }
    const dx = point.x - gesture.start.x;
    const dy = point.y - gesture.start.y;
    if (gesture.edited) {
      const { element, box, handle } = gesture.edited;
      setBox(store, element, handle ? resized(box, handle, dx, dy, size) : moved(box, dx, dy, size));
    } else draw(gesture, boxBetween(gesture.start, point));
  });

  const end = (event: PointerEvent, isKept: boolean) => {
    if (!gesture || event.pointerId !== gesture.pointerId) return;
    const { drawn, edited, previousCrop } = gesture;
    gesture = null;
    const size = store.state.photo?.size;
    const { regions, crop } = store.state.settings;
    if (!isKept && edited) return setBox(store, edited.element, edited.box);
    const box = drawn === 'crop' ? crop : regions.find(({ id }) => id === drawn);
    if (drawn === null || !box || !size) return;
    const scale = displayedBox().w / size.width;
    if (isKept && Math.min(box.w, box.h) * scale >= MIN_DRAWN_SIDE) {
      announce(drawn === 'crop' ? 'Crop set.' : 'Region added.');
      return;
    }
    if (drawn === 'crop') store.updateSettings({ crop: previousCrop });
    else store.updateSettings({ regions: regions.filter(({ id }) => id !== drawn) });
  };
  frameElement.addEventListener('pointerup', (event) => end(event, true));
  frameElement.addEventListener('pointercancel', (event) => end(event, false));

  function draw(current: Gesture, box: Box): void {
    const { regions } = store.state.settings;
    if (store.state.tool === 'crop') {
      current.drawn = 'crop';
      store.updateSettings({ crop: box });
    } else if (typeof current.drawn === 'number') {
      store.updateSettings({
        regions: regions.map((region) => (region.id === current.drawn ? { ...box, id: region.id } : region)),
      });
    } else {
      const region = newRegion(box);
      current.drawn = region.id;
      store.updateSettings({ regions: [...regions, region] });
    }
  }

  byId('tools').addEventListener('click', ({ target }) => {
    const tool = target instanceof HTMLElement ? target.dataset.tool : undefined;
    if (tool === 'hide' || tool === 'crop') store.update({ tool });
  });
}

/** @param name compass direction of the handle, e.g. `nw` */
function handleOf(name: string): Handle {
  const horizontal = name.includes('w') ? -1 : name.includes('e') ? 1 : 0;
  const vertical = name.includes('n') ? -1 : name.includes('s') ? 1 : 0;
  return { horizontal, vertical };
}
