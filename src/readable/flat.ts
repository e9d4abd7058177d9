import type { Picture } from '../faces/tensor.ts';

/** Letters that can be told differ from their ground by this much within two pixels, of 255. */
const LEAST_STEP = 8;
/** A cell that a letter lies in has so many such steps in every second row; grain of a camera has fewer. */
const LEAST_STEPS = 8;
/** Sides of a cell. */
export const CELL = 32;

/**
 * Tells cells in which there are so few steps of brightness from left to right that no letter can stand in
 * them: sky, a wall, what is out of focus. Green stands for brightness.
 */
export class StepCounter {
  readonly #width: number;
  readonly #steps: Uint8Array;
  #rows = 0;

  /** @param width of the rows */
  constructor(width: number) {
    this.#width = width;
    this.#steps = new Uint8Array(Math.ceil(width / CELL));
  }

  /** Counts in the next row of interleaved RGB, which begins at `at`. */
  add(pixels: Uint8Array, at: number): void {
    if (this.#rows++ % 2 === 1) return;
    const last = this.#width - 2;
    for (let cell = 0; cell < this.#steps.length; cell++) {
      let steps = this.#steps[cell]!;
      const end = Math.min(last, (cell + 1) * CELL);
      for (let x = cell * CELL, from = at + 3 * x + 1; steps < LEAST_STEPS && x < end; x++, from += 3) {
        const step = pixels[from]! - pixels[from + 6]!;
        if (step >= LEAST_STEP || step <= -LEAST_STEP) steps++;
      }
      this.#steps[cell] = steps;
    }
  }

  /** Whether each cell of the rows since the last call has enough of them. */
  take(): boolean[] {
    const busy = Array.from(this.#steps, (steps) => steps >= LEAST_STEPS);
    this.#steps.fill(0);
    this.#rows = 0;
    return busy;
  }
}

/** Whether no letter can stand in a picture, of which all rows are held. */
export function isFlat({ pixels, width, height }: Picture): boolean {
  const counter = new StepCounter(width);
  for (let y = 0; y < height; y++) {
    counter.add(pixels, 3 * width * y);
    const isLast = y + 1 === height || (y + 1) % CELL === 0;
    if (isLast && counter.take().includes(true)) return false;
  }
  return true;
}
