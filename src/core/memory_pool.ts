/**
 * The memories that cores run in, which the isolate keeps and reuses. A dropped WebAssembly.Memory is
 * collected late, because the runtime ignores it when it decides whether to collect: with 25 MB of them for
 * each request, the process grew by 25 MB a request (docs/benchmarks.md).
 */

import { INITIAL_PAGES, PAGE_BYTES } from '../../wasm/assembly/constants.ts';

export { INITIAL_PAGES, PAGE_BYTES };

/** Default limit of idle and used memories together, in bytes. */
const DEFAULT_LIMIT = 16 * 1024 * 1024;

/**
 * How many bytes larger than expected a memory may be, so that those that cores have grown are reused, too.
 */
const SPARE_BYTES = 8 * 1024 * 1024;

/** From this many bytes of dropped memories on, the runtime is asked to collect them, if it can be asked. */
const COLLECTED_FROM = 8 * 1024 * 1024;

/** The largest memory that is taken if `bytes` are expected. */
const maxTaken = (bytes: number) => Math.max(bytes * 1.5, bytes + SPARE_BYTES);

/**
 * The memories of one isolate. Idle ones are all zero: nothing of one job is visible to the next.
 *
 * Idle and used memories together stay within `limit`: idle ones are dropped for it. A memory is never
 * refused here, as jobs have reserved theirs (src/memory/budget.ts).
 */
export class MemoryPool {
  readonly #idle: WebAssembly.Memory[] = [];
  readonly #used = new Set<WeakRef<WebAssembly.Memory>>();
  #limit: number;
  #droppedBytes = 0;
  /** Collects what is dropped. Absent if the runtime can't be asked to. */
  collect: (() => void) | undefined;

  constructor(limit = DEFAULT_LIMIT) {
    this.#limit = limit;
  }

  /** Bytes of the idle memories. */
  get idleBytes(): number {
    return this.#idle.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  }

  /**
   * Bytes of the memories in use. Memories dropped without being given back count until they are collected.
   */
  get usedBytes(): number {
    let sum = 0;
    for (const reference of this.#used) {
      const memory = reference.deref();
      if (memory) sum += memory.buffer.byteLength;
      else this.#used.delete(reference);
    }
    return sum;
  }

  get limit(): number {
    return this.#limit;
  }

  /** @param bytes for idle and used memories together; idle memories beyond it are dropped at once */
  set limit(bytes: number) {
    this.#limit = bytes;
    this.keepLimit();
  }

  /** Whether `take` would find a memory of this many bytes. */
  hasIdle(bytes: number): boolean {
    return this.#idle.some(
      ({ buffer }) => buffer.byteLength >= bytes && buffer.byteLength <= maxTaken(bytes),
    );
  }

  /**
   * Takes a memory of zeros with at least INITIAL_PAGES.
   * @param bytes that will probably be needed. Takes the smallest idle memory that has them, unless it is far
   * too large (more would be in use than the job has reserved); otherwise the largest that has less
   */
  take(bytes: number): WebAssembly.Memory {
    const larger = this.#idle.findIndex(({ buffer }) => buffer.byteLength >= bytes);
    const fits = larger >= 0 && this.#idle[larger]!.buffer.byteLength <= maxTaken(bytes);
    const at = fits ? larger : (larger < 0 ? this.#idle.length : larger) - 1;
    const idle = at < 0 ? undefined : this.#idle.splice(at, 1)[0];
    const memory = idle ?? new WebAssembly.Memory({ initial: INITIAL_PAGES });
    this.#used.add(new WeakRef(memory));
    return memory;
  }

  /**
   * Takes a memory back: overwrites all used bytes with zeros, and detaches every view of it, so that no
   * stale view can read the next job's data.
   * @param usedBytes from its start; the rest was never written
   */
  giveBack(memory: WebAssembly.Memory, usedBytes: number): void {
    this.#forgetUsed(memory);
    new Uint8Array(memory.buffer, 0, Math.min(usedBytes, memory.buffer.byteLength)).fill(0);
    // WebAssembly JavaScript Interface, "refresh the memory buffer": growing by nothing also detaches the old
    // buffer.
    memory.grow(0);
    this.#idle.push(memory);
    this.#idle.sort((a, b) => a.buffer.byteLength - b.buffer.byteLength);
    this.keepLimit();
  }

  #forgetUsed(memory: WebAssembly.Memory): void {
    for (const reference of this.#used) {
      if (reference.deref() === memory) this.#used.delete(reference);
    }
  }

  /** Drops idle memories beyond the limit, the largest first. Call it when a memory in use has grown. */
  keepLimit(): void {
    for (let excess = this.idleBytes + this.usedBytes - this.#limit; excess > 0 && this.#idle.length > 0; ) {
      const bytes = this.#idle.pop()!.buffer.byteLength;
      excess -= bytes;
      this.#droppedBytes += bytes;
    }
    if (this.#droppedBytes < COLLECTED_FROM) return;
    this.#droppedBytes = 0;
    this.collect?.();
  }
}

/** The pool of the isolate. */
export const isolateMemoryPool = new MemoryPool();
