import { INITIAL_PAGES, isolateMemoryPool, PAGE_BYTES } from '../core/memory_pool.ts';
import { OutputLimitFault } from '../faults.ts';
import type { OwnedBytes } from './image_file.ts';

/** The memory grows by this many bytes at a time. */
const STEP = 1 << 18;

/**
 * The most bytes that an output of `length` bytes holds. Its excess over an empty output has room for its
 * bytes.
 */
export function outputBufferBytes(length: number): number {
  return INITIAL_PAGES * PAGE_BYTES + Math.ceil(length / STEP) * STEP;
}

/**
 * Runs `write` on a new output, which is given back if `write` fails. Parameters as of OutputBuffer.
 * @throws whatever `write` throws
 */
export async function encodeInto(
  format: string,
  maxBytes: number,
  raiseLimit: (() => number) | undefined,
  expectedBytes: number,
  write: (output: OutputBuffer) => Promise<void>,
): Promise<OutputBuffer> {
  const output = new OutputBuffer(format, maxBytes, raiseLimit, Math.min(maxBytes, expectedBytes));
  try {
    await write(output);
    return output;
  } catch (error) {
    output[Symbol.dispose]();
    throw error;
  }
}

/**
 * The bytes of a file while it is written, in a memory of the pool. The memory grows in place, so a file of
 * unknown length is never copied and holds hardly more than itself. No code runs in it, so it needs no core,
 * which would take a tenth of a millisecond to make. Whoever takes the bytes gives the memory back by
 * disposing of this; so does a writer that fails.
 */
export class OutputBuffer implements OwnedBytes {
  readonly #format: string;
  #limit: number;
  readonly #raiseLimit: () => number;
  /** Undefined once it is given back. */
  #memory: WebAssembly.Memory | undefined;
  #reserved = 0;
  #length = 0;

  /**
   * @param format of the file, for messages: "PNG"
   * @param maxBytes the most bytes it may hold
   * @param raiseLimit called if that is not enough; returns the new maximum
   * @param expectedBytes the probable length, to find a memory of that size
   */
  constructor(
    format: string,
    maxBytes: number,
    raiseLimit: () => number = () => maxBytes,
    expectedBytes = 0,
  ) {
    this.#format = format;
    this.#limit = maxBytes;
    this.#raiseLimit = raiseLimit;
    this.#memory = isolateMemoryPool.take(expectedBytes);
  }

  get length(): number {
    return this.#length;
  }

  /** @throws OutputLimitFault if the output would exceed its limit */
  append(bytes: Uint8Array): void {
    const at = this.leave(bytes.length);
    new Uint8Array(this.#held.buffer).set(bytes, at);
  }

  /**
   * Leaves a gap that `replace` fills.
   * @returns where it begins
   * @throws OutputLimitFault as `append`
   */
  leave(gap: number): number {
    const start = this.#length;
    const length = start + gap;
    if (length > this.#limit) this.#limit = this.#raiseLimit();
    if (length > this.#limit) {
      throw new OutputLimitFault(
        `The ${this.#format} would be larger than the ${this.#limit} bytes that there is room for`,
      );
    }
    while (this.#reserved < length) this.#grow();
    this.#length = length;
    return start;
  }

  /** Forgets what was written; the memory stays. */
  restart(): void {
    this.#length = 0;
  }

  /** Replaces the range [start, end) by `bytes`, which must not be longer than it. */
  replace(start: number, end: number, bytes: Uint8Array): void {
    const written = this.bytes;
    written.set(bytes, start);
    if (start + bytes.length === end) return;
    written.copyWithin(start + bytes.length, end);
    this.#length -= end - start - bytes.length;
  }

  /**
   * Inserts `bytes`, which must lie outside this output, before what is at `at`.
   * @throws OutputLimitFault as `append`
   */
  insert(at: number, bytes: Uint8Array): void {
    const end = this.leave(bytes.length);
    const written = this.bytes;
    written.copyWithin(at + bytes.length, at, end);
    written.set(bytes, at);
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#memory ? new Uint8Array(this.#memory.buffer, 0, this.#length) : new Uint8Array(0);
  }

  /** Counted in whole pages, at least those that every memory begins with. */
  get retainedBytes(): number {
    return Math.max(INITIAL_PAGES, Math.ceil(this.#reserved / PAGE_BYTES)) * PAGE_BYTES;
  }

  get outsideCores(): number {
    return 0;
  }

  [Symbol.dispose](): void {
    if (!this.#memory) return;
    isolateMemoryPool.giveBack(this.#memory, this.retainedBytes);
    this.#memory = undefined;
  }

  /** The memory; after `dispose` another job may have it. @throws Error once it is given back */
  get #held(): WebAssembly.Memory {
    if (!this.#memory) throw new Error('This output was given back: nothing may be written to it any more');
    return this.#memory;
  }

  #grow(): void {
    const memory = this.#held;
    const reserved = this.#reserved + Math.min(STEP, this.#limit - this.#reserved);
    const missing = Math.ceil((reserved - memory.buffer.byteLength) / PAGE_BYTES);
    if (missing > 0) {
      try {
        memory.grow(missing);
      } catch {
        throw new OutputLimitFault(`There is no memory left for the ${this.#format}`);
      }
      isolateMemoryPool.keepLimit();
    }
    this.#reserved = reserved;
  }
}
