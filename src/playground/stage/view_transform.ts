import { type Box, clamp, type Size } from '../geometry.ts';

/**
 * How a zoomed photo is displayed: scaled by `zoom` about its top-left corner, then moved by (x, y) CSS
 * pixels from that corner's place at zoom 1. At zoom 1 the whole photo is centred on the stage.
 */
export interface ViewTransform {
  /** 1 shows the whole photo. */
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The whole photo. */
export const fittedView: ViewTransform = { zoom: 1, x: 0, y: 0 };

/** Sizes of the stage and the photo, in CSS pixels. */
export interface StageSizes {
  /** The photo at zoom 1. */
  readonly content: Size;
  readonly viewport: Size;
}

/** The largest zoom is at least this, and at least this many CSS pixels per pixel of the photo. */
const MIN_MAX_ZOOM = 4;
const MAX_PIXEL_EDGE = 4;

/** The largest zoom. @param image size of the photo in pixels */
export const maxZoomOf = (content: Size, image: Size) =>
  Math.max(MIN_MAX_ZOOM, (MAX_PIXEL_EDGE * image.width) / Math.max(1, content.width));

/** One axis of `clampedView`. */
function clampedOffset(offset: number, zoom: number, content: number, viewport: number): number {
  const spare = viewport - content * zoom;
  // Offset of the photo's edge at zoom 1 from the viewport's edge.
  const start = (viewport - content) / 2;
  return spare >= 0 ? spare / 2 - start : clamp(offset, spare - start, -start);
}

/** The nearest view in which no part of the stage is empty that the photo could fill. */
export function clampedView(
  view: ViewTransform,
  { content, viewport }: StageSizes,
  maxZoom: number,
): ViewTransform {
  const zoom = clamp(view.zoom, 1, maxZoom);
  return {
    zoom,
    x: clampedOffset(view.x, zoom, content.width, viewport.width),
    y: clampedOffset(view.y, zoom, content.height, viewport.height),
  };
}

/**
 * The view at another zoom that keeps a point of the photo where it is displayed.
 * @param point from the photo's top-left corner at zoom 1, in CSS pixels of the window
 */
export function zoomedAbout(view: ViewTransform, zoom: number, point: Point): ViewTransform {
  const factor = zoom / view.zoom;
  return { zoom, x: point.x - (point.x - view.x) * factor, y: point.y - (point.y - view.y) * factor };
}

const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);

/**
 * The view after two fingers have moved: what was between them stays between them, scaled by their distance.
 * @param from their places when the view was `view`; points as in `zoomedAbout`
 */
export function pinchedView(
  view: ViewTransform,
  from: readonly [Point, Point],
  to: readonly [Point, Point],
  maxZoom: number,
): ViewTransform {
  const factor = distance(...to) / Math.max(1, distance(...from));
  const start = middle(...from);
  const end = middle(...to);
  const zoomed = zoomedAbout(view, clamp(view.zoom * factor, 1, maxZoom), start);
  return { ...zoomed, x: zoomed.x + end.x - start.x, y: zoomed.y + end.y - start.y };
}

/**
 * The view at a zoom with a box in the centre; not clamped.
 * @param box in CSS pixels of the photo at zoom 1
 */
export function centredView(box: Box, zoom: number, { content }: StageSizes): ViewTransform {
  return {
    zoom,
    x: content.width / 2 - (box.x + box.w / 2) * zoom,
    y: content.height / 2 - (box.y + box.h / 2) * zoom,
  };
}

/** Whether a box (as in `centredView`) is completely inside the stage. */
export function isInView(
  box: Box,
  { zoom, x, y }: ViewTransform,
  { content, viewport }: StageSizes,
): boolean {
  const left = (viewport.width - content.width) / 2 + x + box.x * zoom;
  const top = (viewport.height - content.height) / 2 + y + box.y * zoom;
  return (
    left >= 0 && top >= 0 && left + box.w * zoom <= viewport.width && top + box.h * zoom <= viewport.height
  );
}
