import { type Core, createCore } from './instance.ts';
import { heldBytesFor } from './sizes.ts';

/**
 * Memory of one step or encoder for one reading: in the core where the rows come from, so that they need not
 * be copied, else in a core of its own.
 *
 * Everybody reserves before the first row is read, and nothing afterwards: growing a memory detaches every
 * view of it, of rows on their way, too.
 */
export class Scratch implements Disposable {
  readonly core: Core;
  /** Where each of the sizes begins, on 16 bytes. */
  readonly places: readonly number[];
  readonly #region: Disposable;
  readonly #isOwn: boolean;

  /**
   * @param home the core that the rows lie in
   * @param sizes bytes to reserve
   * @param expectedBytes that will probably be needed, where more is reserved later
   * @throws Fault 'limit' when the memory cannot grow that far
   */
  constructor(home: Core | undefined, sizes: readonly number[], expectedBytes = heldBytesFor(sizes)) {
    this.core = home ?? createCore(expectedBytes);
    this.#isOwn = home === undefined;
    this.#region = this.core.region();
    try {
      this.places = sizes.map((size) => this.core.alloc(size));
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#region[Symbol.dispose]();
    if (this.#isOwn) this.core[Symbol.dispose]();
  }
}
