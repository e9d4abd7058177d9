import type { Size } from '../types.ts';

/** One pass of Adam7 interlacing: which pixels of each 8 × 8 tile it holds. */
export interface Pass {
  readonly x: number;
  readonly y: number;
  readonly stepX: number;
  readonly stepY: number;
}

/** ISO/IEC 15948 section 8.2. */
export const PASSES: readonly Pass[] = [
  { x: 0, y: 0, stepX: 8, stepY: 8 },
  { x: 4, y: 0, stepX: 8, stepY: 8 },
  { x: 0, y: 4, stepX: 4, stepY: 8 },
  { x: 2, y: 0, stepX: 4, stepY: 4 },
  { x: 0, y: 2, stepX: 2, stepY: 4 },
  { x: 1, y: 0, stepX: 2, stepY: 2 },
  { x: 0, y: 1, stepX: 1, stepY: 2 },
];

/** The size of the reduced image that a pass holds; without pixels if a side is 0. */
export function passSize(pass: Pass, { width, height }: Size): Size {
  return {
    width: Math.max(0, Math.ceil((width - pass.x) / pass.stepX)),
    height: Math.max(0, Math.ceil((height - pass.y) / pass.stepY)),
  };
}
