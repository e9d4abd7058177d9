import type { Core } from './instance.ts';

/**
 * Memory of one step, decoder or encoder for one read, in the core where the image's rows lie. It is freed
 * when this and everything reserved after it is disposed of.
 *
 * Everything is reserved before the first row is read, and nothing afterwards: growing a memory detaches
 * every view of it, including those of rows in use.
 */
export class Scratch implements Disposable {
  readonly core: Core;
  /** Address of each of the sizes, a multiple of 16. */
  readonly places: readonly number[];
  readonly #region: Disposable;

  /**
   * @param core that the rows lie in
   * @param sizes bytes to reserve
   * @throws Fault 'limit' when the memory cannot grow that far
   */
  constructor(core: Core, sizes: readonly number[]) {
    this.core = core;
    this.#region = core.region();
    try {
      this.places = sizes.map((size) => core.alloc(size));
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#region[Symbol.dispose]();
  }
}
