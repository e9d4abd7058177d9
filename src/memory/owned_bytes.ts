import { type Core, createCore } from '../core/instance.ts';
import { isolateMemoryPool } from '../core/memory_pool.ts';
import type { ImageFile, OwnedBytes } from './image_file.ts';

/**
 * Jobs need somewhat less than predicted: a memory with this share of the predicted bytes is large enough.
 */
const ENOUGH = 0.7;

/** Bytes in an image core's memory, e.g. an upload or a file being written. Nobody else uses the core. */
export class CoreBytes implements OwnedBytes {
  #core: Core;
  #at: number;
  readonly #length: number;

  /** @param at where `length` bytes are reserved in the core; disposing gives the core back */
  constructor(core: Core, at: number, length: number) {
    this.#core = core;
    this.#at = at;
    this.#length = length;
  }

  /** Reserves `length` bytes in the core. @throws Fault 'limit' when the memory cannot grow that far */
  static allocate(core: Core, length: number): CoreBytes {
    return new CoreBytes(core, core.alloc(length), length);
  }

  get core(): Core {
    return this.#core;
  }

  /** Address in the core. */
  get at(): number {
    return this.#at;
  }

  get length(): number {
    return this.#length;
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#core.disposed ? new Uint8Array(0) : this.#core.view(this.#at, this.#length);
  }

  get retainedBytes(): number {
    return this.#core.heldBytes;
  }

  get outsideCores(): number {
    return 0;
  }

  /**
   * Moves the bytes to an idle memory with room for a whole job, if their own would have to grow. Copying
   * takes a millisecond for 10 MB, while a memory that the pool drops because another has grown is collected
   * late. Nothing else may lie in their core.
   * @param expectedBytes that the core will need in all
   */
  moveToRoomier(expectedBytes: number): void {
    const enough = expectedBytes * ENOUGH;
    if (this.#core.memoryBytes >= enough || !isolateMemoryPool.hasIdle(enough)) return;
    const roomier = createCore(expectedBytes);
    const at = roomier.exports.alloc(this.#length) >>> 0;
    if (at === 0) {
      roomier[Symbol.dispose]();
      return;
    }
    roomier.view(at, this.#length).set(this.bytes);
    this.#core[Symbol.dispose]();
    this.#core = roomier;
    this.#at = at;
  }

  [Symbol.dispose](): void {
    this.#core[Symbol.dispose]();
  }
}

/** Bytes in an array buffer of their own, outside of cores. */
export class HeapBytes implements OwnedBytes {
  #bytes: Uint8Array<ArrayBuffer>;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.#bytes = bytes;
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes;
  }

  get retainedBytes(): number {
    return this.#bytes.buffer.byteLength;
  }

  get outsideCores(): number {
    return this.retainedBytes;
  }

  [Symbol.dispose](): void {
    this.#bytes = new Uint8Array(0);
  }
}

/** Gives a file's memory back if it is owned. */
export function disposeOf(file: ImageFile): void {
  if (!(file instanceof Uint8Array)) file[Symbol.dispose]();
}

/** Bytes that are copied between two turns: this takes some milliseconds, because the memory is new. */
const COPIED_AT_ONCE = 4 * 1024 * 1024;

/**
 * The bytes for a caller that will not dispose of them: a copy if they lie in a core.
 * @param copied is told how many bytes were copied; copying goes on when its promise resolves, and fails with
 * what it throws. The bytes must not change meanwhile.
 */
export async function detachedCopy(
  owned: OwnedBytes,
  copied: (bytes: number) => Promise<void> | undefined = () => undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  if (owned.outsideCores > 0) return owned.bytes;
  const copy = new Uint8Array(owned.bytes.length);
  for (let at = 0; at < copy.length; at += COPIED_AT_ONCE) {
    const part = owned.bytes.subarray(at, at + COPIED_AT_ONCE);
    copy.set(part, at);
    await copied(part.length);
  }
  return copy;
}
