import type { Core } from '../../../../src/core/instance.ts';

/** A plane of u16 samples in a core's memory, with memory beyond its end. */
export class SamplePlane {
  readonly width: number;
  readonly height: number;
  readonly #core: Core;
  readonly #at: number;

  constructor(core: Core, width: number, height: number) {
    this.width = width;
    this.height = height;
    this.#core = core;
    this.#at = core.alloc(width * height * 2 + 64);
  }

  get stride(): number {
    return this.width * 2;
  }

  address(x: number, y: number): number {
    return this.#at + y * this.stride + x * 2;
  }

  /** All of them, row after row; valid until the core's memory grows. */
  get samples(): Uint16Array {
    return new Uint16Array(this.#core.exports.memory.buffer, this.#at, this.width * this.height);
  }

  fill(draw: () => number): void {
    const { samples } = this;
    for (let i = 0; i < samples.length; i++) samples[i] = draw();
  }
}
