import { announce, byId } from './dom.ts';
import { type Box, boxBetween, type Handle, moved, resized, toFrame } from './geometry.ts';
import { boxOf, setBox } from './overlay.ts';
import { newRegion, type Store } from './state.ts';

/** A pointer that moves less is a click, in CSS pixels. */
const CLICK_REACH = 4;
/** A drawn box has to be at least this long both ways, in CSS pixels. */
const LEAST_DRAWN = 8;

interface Gesture {
  readonly pointer: number;
  /** Where it began: on the screen, and in the frame. */
  readonly screen: { x: number; y: number };
  readonly frame: { x: number; y: number };
  /** The box that is moved or resized and its handle; null while a new one is drawn. */
  readonly moving: { element: HTMLElement; box: Box; handle: Handle | null } | null;
  /** What a crop drawn anew replaces. */
  readonly cropBefore: Box | null;
  drawn: number | 'crop' | null;
  isDragging: boolean;
}

/** Draws, moves and resizes regions and the crop, by mouse, pen and touch. */
export function followPointers(store: Store): void {
  const frame = byId('frame');
  let gesture: Gesture | null = null;

  const shownBox = (): Box => {
    const { left, top, width, height } = frame.getBoundingClientRect();
    return { x: left, y: top, w: width, h: height };
  };
  const inFrame = ({ clientX, clientY }: PointerEvent) => {
    const size = store.state.photo?.frame;
    return size ? toFrame({ x: clientX, y: clientY }, shownBox(), size) : null;
  };

  frame.addEventListener('pointerdown', (event) => {
    const point = inFrame(event);
    if (!point || gesture || event.button !== 0) return;
    const target = event.target as Element;
    const element = target.closest<HTMLElement>('[data-region], [data-crop]');
    const box = element && boxOf(store, element);
    const name = target.closest<HTMLElement>('[data-handle]')?.dataset.handle;
    gesture = {
      pointer: event.pointerId,
      screen: { x: event.clientX, y: event.clientY },
      frame: point,
      moving: element && box ? { element, box, handle: name ? handleOf(name) : null } : null,
      cropBefore: store.state.settings.crop,
      drawn: null,
      isDragging: false,
    };
  });

  frame.addEventListener('pointermove', (event) => {
    const size = store.state.photo?.frame;
    const point = inFrame(event);
    if (!gesture || !size || !point || event.pointerId !== gesture.pointer) return;
    const reach = Math.hypot(event.clientX - gesture.screen.x, event.clientY - gesture.screen.y);
    if (!gesture.isDragging) {
      if (reach < CLICK_REACH) return;
      gesture.isDragging = true;
      // From here on it is no click on whatever lies below.
      frame.setPointerCapture(event.pointerId);
      gesture.moving?.element.focus({ preventScroll: true });
    }
    const dx = point.x - gesture.frame.x;
    const dy = point.y - gesture.frame.y;
    if (gesture.moving) {
      const { element, box, handle } = gesture.moving;
      setBox(store, element, handle ? resized(box, handle, dx, dy, size) : moved(box, dx, dy, size));
    } else draw(gesture, boxBetween(gesture.frame, point));
  });

  const end = (event: PointerEvent, isKept: boolean) => {
    if (!gesture || event.pointerId !== gesture.pointer) return;
    const { drawn, moving, cropBefore } = gesture;
    gesture = null;
    const size = store.state.photo?.frame;
    const { regions, crop } = store.state.settings;
    if (!isKept && moving) return setBox(store, moving.element, moving.box);
    const box = drawn === 'crop' ? crop : regions.find(({ id }) => id === drawn);
    if (drawn === null || !box || !size) return;
    const perPixel = shownBox().w / size.width;
    if (isKept && Math.min(box.w, box.h) * perPixel >= LEAST_DRAWN) {
      announce(drawn === 'crop' ? 'Crop set.' : 'Region added.');
      return;
    }
    if (drawn === 'crop') store.set({ crop: cropBefore });
    else store.set({ regions: regions.filter(({ id }) => id !== drawn) });
  };
  frame.addEventListener('pointerup', (event) => end(event, true));
  frame.addEventListener('pointercancel', (event) => end(event, false));

  function draw(current: Gesture, box: Box): void {
    const { regions } = store.state.settings;
    if (store.state.tool === 'crop') {
      current.drawn = 'crop';
      store.set({ crop: box });
    } else if (typeof current.drawn === 'number') {
      store.set({
        regions: regions.map((region) => (region.id === current.drawn ? { ...box, id: region.id } : region)),
      });
    } else {
      const region = newRegion(box);
      current.drawn = region.id;
      store.set({ regions: [...regions, region] });
    }
  }

  byId('tools').addEventListener('click', ({ target }) => {
    const tool = target instanceof HTMLElement ? target.dataset.tool : undefined;
    if (tool === 'hide' || tool === 'crop') store.update({ tool });
  });
}

function handleOf(name: string): Handle {
  const across = name.includes('w') ? -1 : name.includes('e') ? 1 : 0;
  const along = name.includes('n') ? -1 : name.includes('s') ? 1 : 0;
  return { across, along };
}
