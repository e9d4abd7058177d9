import type { Size } from '../codecs/types.ts';

/** A rectangle in pixels, origin top left; not rounded to whole pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export interface ScoredBox extends Box {
  /** 0 to 1. */
  readonly confidence: number;
}

/** A number of quarter turns clockwise. */
export type QuarterTurns = 0 | 1 | 2 | 3;

/** The area that both boxes cover, in square pixels. */
export function sharedArea(a: Box, b: Box): number {
  const w = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x);
  const h = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y);
  return w > 0 && h > 0 ? w * h : 0;
}

/** Intersection over union (Jaccard index), 0 to 1. */
export function overlap(a: Box, b: Box): number {
  const shared = sharedArea(a, b);
  return shared === 0 ? 0 : shared / (a.w * a.h + b.w * b.h - shared);
}

/** Whether the centre of `box` lies inside `area`. */
export function holdsCentre(area: Box, box: Box): boolean {
  const x = box.x + box.w / 2;
  const y = box.y + box.h / 2;
  return x > area.x && x < area.x + area.w && y > area.y && y < area.y + area.h;
}

/** Highest confidence first; equal ones keep their order, so results never depend on the sort. */
export const byConfidence = (a: ScoredBox, b: ScoredBox): number => b.confidence - a.confidence;

/**
 * Non-maximum suppression, greedy: of boxes that overlap by more than `limit` only the most confident stays.
 * @returns the boxes kept, most confident first
 */
export function suppress<B extends ScoredBox>(boxes: readonly B[], limit: number): B[] {
  const kept: B[] = [];
  for (const box of boxes.toSorted(byConfidence)) {
    if (kept.every((stronger) => overlap(stronger, box) <= limit)) kept.push(box);
  }
  return kept;
}

/** Grown (or shrunk) about its centre: `factor` times as wide and as high. Not clipped. */
export function padBox<B extends Box>(box: B, factor: number): B {
  const w = box.w * factor;
  const h = box.h * factor;
  return { ...box, x: box.x + (box.w - w) / 2, y: box.y + (box.h - h) / 2, w, h };
}

/** The part inside the picture, or undefined where there is none. */
export function clipBox<B extends Box>(box: B, size: Size): B | undefined {
  const x = Math.max(0, box.x);
  const y = Math.max(0, box.y);
  const w = Math.min(size.width, box.x + box.w) - x;
  const h = Math.min(size.height, box.y + box.h) - y;
  return w > 0 && h > 0 ? { ...box, x, y, w, h } : undefined;
}

/** The same place in a picture `sx` times as wide and `sy` times as high. */
export function scaleBox<B extends Box>(box: B, sx: number, sy: number): B {
  return { ...box, x: box.x * sx, y: box.y * sy, w: box.w * sx, h: box.h * sy };
}

/** The same place where the origin lies `dx` further left and `dy` further up. */
export function moveBox<B extends Box>(box: B, dx: number, dy: number): B {
  return { ...box, x: box.x + dx, y: box.y + dy };
}

/**
 * The same place after the picture was rotated clockwise.
 * @param size of the picture before it is rotated
 */
export function rotateBox<B extends Box>(box: B, rotation: QuarterTurns, size: Size): B {
  const { x, y, w, h } = box;
  switch (rotation) {
    case 0:
      return box;
    case 1:
      return { ...box, x: size.height - y - h, y: x, w: h, h: w };
    case 2:
      return { ...box, x: size.width - x - w, y: size.height - y - h };
    case 3:
      return { ...box, x: y, y: size.width - x - w, w: h, h: w };
  }
}

/** Rounded to one decimal for responses: the edges are rounded, so that adjacent boxes stay adjacent. */
export function roundBox<B extends Box>(box: B): B {
  const tenth = (value: number) => Math.round(value * 10) / 10;
  const x = tenth(box.x);
  const y = tenth(box.y);
  return { ...box, x, y, w: tenth(tenth(box.x + box.w) - x), h: tenth(tenth(box.y + box.h) - y) };
}
