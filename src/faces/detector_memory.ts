import { type Core, createCore } from '../core/instance.ts';
import { heldBytesFor } from '../core/sizes.ts';

/** Gives arrays of zeros. */
export interface ArraySource {
  bytes(count: number): Uint8Array;
  floats(count: number): Float32Array;
  integers(count: number): Int32Array;
}

/** Arrays that nobody uses again. */
export const ownArrays: ArraySource = {
  bytes: (count) => new Uint8Array(count),
  floats: (count) => new Float32Array(count),
  integers: (count) => new Int32Array(count),
};

/** Every array begins at a multiple of this, as its elements need. */
const ALIGNMENT = 16;

const aligned = (bytes: number) => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

/** Bytes that arrays of so many bytes each take together. */
export const arraysCost = (...bytes: readonly number[]): number =>
  bytes.reduce((sum, one) => sum + aligned(one), 0);

/** A stretch of a core's memory that arrays are taken of, one after the other. */
export class MemoryStretch implements ArraySource {
  readonly #core: Core;
  readonly #end: number;
  #next: number;

  constructor(core: Core, start: number, length: number) {
    this.#core = core;
    this.#next = start;
    this.#end = start + length;
  }

  bytes(count: number): Uint8Array {
    return this.#core.view(this.#take(count), count).fill(0);
  }

  floats(count: number): Float32Array {
    const { buffer, byteOffset } = this.bytes(count * Float32Array.BYTES_PER_ELEMENT);
    return new Float32Array(buffer, byteOffset, count);
  }

  integers(count: number): Int32Array {
    const { buffer, byteOffset } = this.bytes(count * Int32Array.BYTES_PER_ELEMENT);
    return new Int32Array(buffer, byteOffset, count);
  }

  /** What is taken until this is disposed of is then free again; the last one opened goes first. */
  region(): Disposable {
    const start = this.#next;
    return {
      [Symbol.dispose]: () => {
        this.#next = start;
      },
    };
  }

  /** A stretch for other code of the core. */
  place(bytes: number): { readonly core: Core; readonly at: number; readonly bytes: number } {
    return { core: this.#core, at: this.#take(bytes), bytes };
  }

  /** A stretch for arrays of so many bytes within this one. */
  part(bytes: number): MemoryStretch {
    return new MemoryStretch(this.#core, this.#take(bytes), aligned(bytes));
  }

  #take(bytes: number): number {
    const at = this.#next;
    if (at + aligned(bytes) > this.#end) throw new Error('Detection takes more memory than its cost says');
    this.#next = at + aligned(bytes);
    return at;
  }
}

/**
 * The memory of one detection: its pictures and the model's input, all of it reserved at once. It lies in a
 * core of its own, since memories of cores go from job to job (src/core/memory_pool.ts), while arrays that
 * detections drop are collected late. Disposing gives the core back: zeros are written over all that was used
 * and every array is detached, so that nothing of one picture can be read by the next detection.
 */
export class DetectorMemory extends MemoryStretch implements Disposable {
  readonly #core: Core;

  private constructor(core: Core, bytes: number) {
    super(core, core.alloc(bytes), bytes);
    this.#core = core;
  }

  /** @throws Fault 'limit' when there is no memory for so many bytes */
  static open(bytes: number): DetectorMemory {
    const core = createCore(DetectorMemory.heldBytes(bytes));
    try {
      return new DetectorMemory(core, bytes);
    } catch (error) {
      core[Symbol.dispose]();
      throw error;
    }
  }

  /** What a memory for so many bytes holds. */
  static heldBytes(bytes: number): number {
    return heldBytesFor([bytes]);
  }

  [Symbol.dispose](): void {
    this.#core[Symbol.dispose]();
  }
}
