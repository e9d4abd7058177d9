import type { CoreExports } from '../core/exports.ts';
import type { Core } from '../core/instance.ts';

/** Gives arrays of zeros. */
export interface ArraySource {
  bytes(count: number): Uint8Array;
  floats(count: number): Float32Array;
  integers(count: number): Int32Array;
}

/** Allocates each array anew in the JavaScript heap. */
export const ownArrays: ArraySource = {
  bytes: (count) => new Uint8Array(count),
  floats: (count) => new Float32Array(count),
  integers: (count) => new Int32Array(count),
};

/** Every address is a multiple of this, as elements and vectors need. */
const ALIGNMENT = 16;

const aligned = (bytes: number) => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

/** Bytes that arrays of these lengths take together, in bytes each. */
export const arraysCost = (...bytes: readonly number[]): number =>
  bytes.reduce((sum, one) => sum + aligned(one), 0);

/** A bump allocator over a range of a core's memory. Only whole regions are freed. */
export class BumpAllocator implements ArraySource {
  readonly #core: Core | undefined;
  readonly #start: number;
  readonly #end: number;
  #next: number;

  /** @param core absent: nothing is allocated, bytes are only counted */
  constructor(core?: Core, start = 0, bytes = Number.POSITIVE_INFINITY) {
    this.#core = core;
    this.#start = start;
    this.#next = start;
    this.#end = start + bytes;
  }

  /** The exports of the core whose memory it gives out. */
  get exports(): CoreExports {
    return this.#core!.exports;
  }

  /** Bytes given out. */
  get used(): number {
    return this.#next - this.#start;
  }

  /** @returns an address; the bytes there are not cleared */
  take(bytes: number): number {
    const at = this.#next;
    if (at + aligned(bytes) > this.#end) throw new Error('Detection takes more memory than its cost says');
    this.#next = at + aligned(bytes);
    return at;
  }

  bytes(count: number): Uint8Array {
    return this.#core!.view(this.take(count), count).fill(0);
  }

  floats(count: number): Float32Array {
    const { buffer, byteOffset } = this.bytes(count * Float32Array.BYTES_PER_ELEMENT);
    return new Float32Array(buffer, byteOffset, count);
  }

  integers(count: number): Int32Array {
    const { buffer, byteOffset } = this.bytes(count * Int32Array.BYTES_PER_ELEMENT);
    return new Int32Array(buffer, byteOffset, count);
  }

  /** Opens a region: disposing of it frees all that was taken since. Regions close in reverse order. */
  region(): Disposable {
    const start = this.#next;
    return {
      [Symbol.dispose]: () => {
        this.#next = start;
      },
    };
  }

  /** An allocator over this many bytes of this one. */
  part(bytes: number): BumpAllocator {
    return new BumpAllocator(this.#core, this.take(bytes), aligned(bytes));
  }
}
