import { byId } from '../dom.ts';
import type { Store } from '../state.ts';
import type { BoxGestures } from './gestures.ts';
import { type Point, pinchedView, type ViewTransform } from './view_transform.ts';
import type { Zoom } from './zoom.ts';

/** A pointer that moves less than this is a tap, in CSS pixels. */
const TAP_DISTANCE = 8;
/** Two taps are a double tap within this time in milliseconds and this distance in CSS pixels. */
const DOUBLE_TAP_MS = 350;
const DOUBLE_TAP_DISTANCE = 32;
/** Elements on which a tap has another effect. */
const BOXES = '[data-face], [data-region], [data-crop]';

/** Elements that do nothing on Space and have the focus when somebody works with the pointer. */
const IDLE =
  'body, #main, #stage, [data-region], [data-crop], [data-face]:not(:focus-visible), #tools [aria-pressed="true"]';

/** Where a pointer is, in the window. */
type PointerPlace = { readonly clientX: number; readonly clientY: number };

const apart = (a: PointerPlace, b: PointerPlace) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);

/** Two fingers zoom, a dragged photo is moved, a double tap or click zooms in and out. */
export function panAndPinch(store: Store, zoom: Zoom, boxes: BoxGestures): void {
  const stage = byId('stage');
  /** The current places of all pressed pointers: fingers, and those that drag the photo. */
  const pointers = new Map<number, PointerPlace>();
  /** Their places when the gesture began, with the view at that time. */
  let start: { readonly view: ViewTransform; readonly points: ReadonlyMap<number, PointerPlace> } | null =
    null;
  let isMoved = false;
  let lastTap: (PointerPlace & { readonly at: number }) | null = null;

  const isMoving = () => store.state.tool === 'move' || store.state.view === 'result';
  const begin = () => {
    zoom.measure();
    start = { view: zoom.view, points: new Map(pointers) };
  };

  // While Space is held over the photo, dragging moves it with any tool.
  let toolBefore: typeof store.state.tool | null = null;
  document.addEventListener('keydown', (event) => {
    const { key, target } = event;
    if (key !== ' ' || !stage.matches(':hover') || store.state.view !== 'edit') return;
    if (!(target as Element).matches(IDLE)) return;
    event.preventDefault();
    toolBefore ??= store.state.tool;
    store.update({ tool: 'move' });
  });
  document.addEventListener('keyup', (event) => {
    if (event.key !== ' ' || !toolBefore) return;
    event.preventDefault();
    store.update({ tool: toolBefore });
    toolBefore = null;
  });

  /** Whether this pointer moves the photo, instead of drawing on it or moving a box. */
  const pans = (event: PointerEvent) => {
    if (event.button === 1) return true;
    const isOnBox = (event.target as Element).closest('[data-region], [data-crop]') !== null;
    return event.button === 0 && isMoving() && !isOnBox;
  };

  stage.addEventListener(
    'pointerdown',
    (event) => {
      // Also for pointers that draw: after a drag, a tap counts again.
      if (pointers.size === 0) isMoved = false;
      if (event.pointerType !== 'touch' && !pans(event)) return;
      if (event.button === 1) event.preventDefault();
      if (pointers.size === 2) return;
      pointers.set(event.pointerId, { clientX: event.clientX, clientY: event.clientY });
      if (pointers.size === 2) {
        boxes.cancel();
        for (const id of pointers.keys()) stage.setPointerCapture(id);
        begin();
      } else if (pans(event)) begin();
      else start = null;
    },
    { capture: true },
  );

  stage.addEventListener('pointermove', (event) => {
    if (!pointers.has(event.pointerId)) return;
    pointers.set(event.pointerId, { clientX: event.clientX, clientY: event.clientY });
    if (!start) return;
    const from = [...start.points.values()];
    const to = [...start.points.keys()].map((id) => pointers.get(id));
    const [firstFrom, secondFrom] = from;
    const [firstTo, secondTo] = to;
    if (!firstFrom || !firstTo) return;
    if (secondFrom && secondTo) {
      isMoved = true;
      const pair = (a: PointerPlace, b: PointerPlace): readonly [Point, Point] => [
        zoom.pointAt(a),
        zoom.pointAt(b),
      ];
      const { view } = start;
      zoom.show(pinchedView(view, pair(firstFrom, secondFrom), pair(firstTo, secondTo), zoom.maxZoom));
      return;
    }
    if (!isMoved && apart(firstFrom, firstTo) < TAP_DISTANCE) return;
    if (!isMoved) stage.setPointerCapture(event.pointerId);
    isMoved = true;
    const { view } = start;
    zoom.show({
      ...view,
      x: view.x + firstTo.clientX - firstFrom.clientX,
      y: view.y + firstTo.clientY - firstFrom.clientY,
    });
  });

  const end = (event: PointerEvent) => {
    if (!pointers.delete(event.pointerId)) return;
    // After a pinch, the remaining finger continues to move the photo.
    if (pointers.size === 1 && isMoved) begin();
    else start = null;
  };
  stage.addEventListener('pointerup', end);
  stage.addEventListener('pointercancel', end);

  // Otherwise two fingers would scroll the page wherever one finger may.
  stage.addEventListener(
    'touchmove',
    (event) => {
      if (event.touches.length > 1 && event.cancelable) event.preventDefault();
    },
    { passive: false },
  );

  let pressed: PointerPlace | null = null;
  stage.addEventListener('pointerdown', (event) => {
    pressed = event.isPrimary && event.button === 0 ? event : null;
  });
  stage.addEventListener('pointerup', (event) => {
    const isTap = pressed !== null && event.isPrimary && apart(pressed, event) < TAP_DISTANCE && !isMoved;
    pressed = null;
    if (!isTap || (event.target as Element).closest(BOXES)) {
      lastTap = null;
      return;
    }
    const { clientX, clientY, timeStamp: at } = event;
    const isDouble =
      lastTap !== null && at - lastTap.at < DOUBLE_TAP_MS && apart(lastTap, event) < DOUBLE_TAP_DISTANCE;
    lastTap = isDouble ? null : { clientX, clientY, at };
    if (isDouble) zoom.toggle(event);
  });
}
