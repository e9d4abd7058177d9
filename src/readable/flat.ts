import type { Picture } from '../faces/tensor.ts';

/** Legible letters differ from their background by at least this much within two pixels, of 255. */
const LEAST_STEP = 8;
/** A cell with a letter has at least this many such steps in every second row; camera grain has fewer. */
const LEAST_STEPS = 8;
/** Side of a cell in pixels. */
export const CELL = 32;

/**
 * Finds cells with so few horizontal steps of brightness that they can't contain a letter: sky, a wall,
 * anything out of focus. Green stands for brightness.
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

  /** Counts the steps in the next row of interleaved RGB, which begins at `at`. */
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

  /** Whether each cell of the rows since the last call has enough steps. */
  take(): boolean[] {
    const busy = Array.from(this.#steps, (steps) => steps >= LEAST_STEPS);
    this.#steps.fill(0);
    this.#rows = 0;
    return busy;
  }
}

/** Whether a picture, all rows of which are in memory, can't contain letters. */
export function isFlat({ pixels, width, height }: Picture): boolean {
  const counter = new StepCounter(width);
  for (let y = 0; y < height; y++) {
    counter.add(pixels, 3 * width * y);
    const isLast = y + 1 === height || (y + 1) % CELL === 0;
    if (isLast && counter.take().includes(true)) return false;
  }
  return true;
}
