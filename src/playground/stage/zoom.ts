import { announce, byId, setText } from '../dom.ts';
import type { Box, Size } from '../geometry.ts';
import type { Store } from '../state.ts';
import { t } from '../texts.ts';
import {
  centredView,
  clampedView,
  fittedView,
  isInView,
  maxZoomOf,
  type Point,
  type StageSizes,
  type ViewTransform,
  zoomedAbout,
} from './view_transform.ts';

/** Factor of the zoom per press of a button or key. */
const STEP = 1.5;
/** Zoom of a double tap. */
const DOUBLE_TAP_ZOOM = 3;
/** Change of the zoom's logarithm per CSS pixel of wheel travel. Trackpads report pinches as small travel. */
const WHEEL_RATE = 0.002;
const PINCH_RATE = 0.01;
/** CSS pixels per line of wheel travel (WheelEvent.DOM_DELTA_LINE). */
const LINE = 16;
/** CSS pixels by which an arrow key moves the photo. */
const KEY_PAN = 60;
/** Milliseconds after the last change when the picture is drawn sharply again. */
const SETTLE_MS = 200;

/** The zoom of the stage: the photo while it is edited, the comparison in the result. */
export class Zoom {
  #view: ViewTransform = fittedView;
  #sizes: StageSizes = { content: { width: 1, height: 1 }, viewport: { width: 1, height: 1 } };
  /** Position of the photo's top-left corner in the window at zoom 1. */
  #corner: Point = { x: 0, y: 0 };
  #settling = 0;
  readonly #listeners: (() => void)[] = [];
  readonly #stage = byId('stage');
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  get view(): ViewTransform {
    return this.#view;
  }
  get maxZoom(): number {
    return maxZoomOf(this.#sizes.content, this.#store.state.photo?.size ?? { width: 1, height: 1 });
  }
  /** CSS pixels per pixel of the photo. */
  get scale(): number {
    const { width } = this.#store.state.photo?.size ?? { width: 1 };
    return (this.#sizes.content.width * this.#view.zoom) / width;
  }

  /** Calls the listener whenever the zoom or the size of the stage has changed. */
  onZoom(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Reads sizes and positions from the layout: at the start of a gesture, never during one. */
  measure(): void {
    const frame = this.#frame.getBoundingClientRect();
    const stage = this.#stage.getBoundingClientRect();
    if (frame.width === 0) return;
    const { zoom, x, y } = this.#view;
    this.#sizes = { content: { width: frame.width / zoom, height: frame.height / zoom }, viewport: stage };
    this.#corner = { x: frame.left - x, y: frame.top - y };
  }

  /** A point of the window, from the photo's top-left corner at zoom 1. */
  pointAt({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }): Point {
    return { x: clientX - this.#corner.x, y: clientY - this.#corner.y };
  }

  /** Shows the nearest possible view. Changes only transforms. */
  show(view: ViewTransform): void {
    const shown = clampedView(view, this.#sizes, this.maxZoom);
    const isOtherZoom = shown.zoom !== this.#view.zoom;
    this.#view = shown;
    const { style } = this.#frame;
    style.transform = shown.zoom === 1 ? '' : `translate(${shown.x}px, ${shown.y}px) scale(${shown.zoom})`;
    style.willChange = 'transform';
    clearTimeout(this.#settling);
    this.#settling = window.setTimeout(() => {
      style.willChange = '';
    }, SETTLE_MS);
    if (!isOtherZoom) return;
    style.setProperty('--zoom', String(shown.zoom));
    this.#stage.toggleAttribute('data-zoomed', shown.zoom > 1);
    this.#tell();
  }

  /** Zooms by a factor about a point of the window, or about the centre of the stage. */
  by(factor: number, about?: { readonly clientX: number; readonly clientY: number }): void {
    this.measure();
    const zoom = Math.max(1, Math.min(this.maxZoom, this.#view.zoom * factor));
    this.show(zoomedAbout(this.#view, zoom, this.pointAt(about ?? this.#middle)));
  }

  /** Zooms in about a point of the window, or back to the whole photo. */
  toggle(about: { readonly clientX: number; readonly clientY: number }): void {
    if (this.#view.zoom > 1) this.fit();
    else this.by(DOUBLE_TAP_ZOOM, about);
  }

  fit(): void {
    this.show(fittedView);
  }

  panBy(dx: number, dy: number): void {
    this.show({ ...this.#view, x: this.#view.x + dx, y: this.#view.y + dy });
  }

  /** Moves the view to a box of the photo, if it is not visible. @param box in pixels of the photo */
  reveal(box: Box, { width }: Size): void {
    if (this.#view.zoom === 1) return;
    this.measure();
    const edge = this.#sizes.content.width / width;
    const shown = { x: box.x * edge, y: box.y * edge, w: box.w * edge, h: box.h * edge };
    if (!isInView(shown, this.#view, this.#sizes))
      this.show(centredView(shown, this.#view.zoom, this.#sizes));
  }

  /** Adapts the view after the layout has changed. */
  relayout(): void {
    this.measure();
    this.show(this.#view);
    this.#tell();
  }

  /** Shows all of another photo, or of the other frame. */
  reset(): void {
    this.#view = fittedView;
    for (const id of ['frame', 'compare']) {
      const { style } = byId(id);
      style.transform = '';
      style.removeProperty('--zoom');
    }
    this.#stage.removeAttribute('data-zoomed');
    this.measure();
    this.#tell();
  }

  get #frame(): HTMLElement {
    return byId(this.#store.state.view === 'edit' ? 'frame' : 'compare');
  }
  get #middle() {
    const { left, top, width, height } = this.#stage.getBoundingClientRect();
    return { clientX: left + width / 2, clientY: top + height / 2 };
  }
  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Zoom by wheel, keys and buttons, for the photo and for the comparison. */
export function showZoom(store: Store): Zoom {
  const zoom = new Zoom(store);
  const stage = byId('stage');
  const percent = byId('zoom-fit');
  byId('zoom-in').addEventListener('click', () => stepZoom(STEP));
  byId('zoom-out').addEventListener('click', () => stepZoom(1 / STEP));
  percent.addEventListener('click', () => stepZoom(0));

  function stepZoom(factor: number): void {
    if (factor === 0) zoom.fit();
    else zoom.by(factor);
    announce(t('zoom.announce', { percent: Math.round(zoom.view.zoom * 100) }));
  }

  const pressKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const factor = { '+': STEP, '=': STEP, '-': 1 / STEP, '0': 0 }[event.key];
    if (factor !== undefined) {
      event.preventDefault();
      stepZoom(factor);
    }
    if (event.target !== stage || zoom.view.zoom === 1) return;
    const dx = { ArrowLeft: KEY_PAN, ArrowRight: -KEY_PAN }[event.key] ?? 0;
    const dy = { ArrowUp: KEY_PAN, ArrowDown: -KEY_PAN }[event.key] ?? 0;
    if (dx === 0 && dy === 0) return;
    event.preventDefault();
    zoom.measure();
    zoom.panBy(dx, dy);
  };
  stage.addEventListener('keydown', pressKey);
  byId('zoom').addEventListener('keydown', pressKey);

  stage.addEventListener(
    'wheel',
    (event) => {
      // If the page itself scrolls, the wheel without Control scrolls it.
      const { scrollHeight, clientHeight } = document.documentElement;
      if (!event.ctrlKey && scrollHeight > clientHeight) return;
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE : 1;
      const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      if (isSideways && !event.ctrlKey) {
        zoom.measure();
        zoom.panBy(-(event.deltaX || event.deltaY) * unit, 0);
        return;
      }
      const travel = Math.max(-300, Math.min(300, event.deltaY * unit));
      const rate = event.ctrlKey && Math.abs(travel) < 50 ? PINCH_RATE : WHEEL_RATE;
      zoom.by(Math.exp(-travel * rate), event);
    },
    { passive: false },
  );

  new ResizeObserver(() => zoom.relayout()).observe(stage);
  zoom.onZoom(() => {
    const values = { percent: Math.round(zoom.view.zoom * 100) };
    setText(percent, t('zoom.percent', values));
    percent.setAttribute('aria-label', t('zoom.fitLabel', values));
    // The stage is a stop of the Tab key only while arrow keys can move the photo.
    stage.tabIndex = zoom.view.zoom > 1 ? 0 : -1;
    byId<HTMLButtonElement>('zoom-out').disabled = zoom.view.zoom === 1;
    byId<HTMLButtonElement>('zoom-in').disabled = zoom.view.zoom >= zoom.maxZoom;
  });

  store.view(
    ({ photo, view }) => [photo?.displayUrl, photo?.size?.width, photo?.size?.height, view],
    () => zoom.reset(),
  );
  return zoom;
}
