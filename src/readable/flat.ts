import type { Size } from '../codecs/types.ts';
import type { Picture } from '../faces/tensor.ts';

/** Letters that can be told differ from their ground by this much within two pixels, of 255. */
const LEAST_STEP = 12;
/** A cell that a letter lies in has so many such steps in every second row; grain of a camera has fewer. */
const LEAST_STEPS = 8;
/** Sides of a cell. */
const CELL = 32;

/**
 * Whether a part of a picture has so few steps of brightness from left to right that no letter can stand in
 * it: sky, a wall, what is out of focus. Green stands for brightness.
 */
export function isFlat({ pixels, width, heldRows }: Picture, left: number, top: number, part: Size): boolean {
  const steps = new Uint16Array(Math.ceil(part.width / CELL));
  for (let y = 0; y < part.height; y += 2) {
    if (y % CELL === 0) steps.fill(0);
    const row = (((top + y) % heldRows) * width + left) * 3 + 1;
    for (let x = 0, at = row; x + 2 < part.width; x++, at += 3) {
      const step = pixels[at]! - pixels[at + 6]!;
      if (step > -LEAST_STEP && step < LEAST_STEP) continue;
      const cell = (x / CELL) | 0;
      if (++steps[cell]! >= LEAST_STEPS) return false;
    }
  }
  return true;
}
