import { type Core, createCore } from '../core/instance.ts';
import { isolateMemoryPool } from '../core/memory_pool.ts';
import { allocatedBytes } from '../core/sizes.ts';
import type { OwnedBytes } from './image_file.ts';
import { CoreBytes, HeapBytes } from './owned_bytes.ts';

/** The memory for a file grows by this many bytes as the file arrives: a declared length alone takes none. */
export const UPLOAD_STEP = 1 << 20;
/**
 * Decoding works in the same memory. With this much room from the start it need not grow, which would move
 * the file.
 */
export const ROOM_TO_DECODE = 1 << 20;
/**
 * Once this many bytes have arrived, a file moves to an idle memory instead of growing its own. Otherwise
 * idle memories of earlier jobs would be dropped in its favour, and dropped ones are collected late. With
 * fewer bytes, an idle memory could be many times as large as what has arrived.
 */
const MOVED_FROM = 8 << 20;

/**
 * A file that is written straight into an image core's memory as it arrives. Decoders that work in the core
 * read it there (JPEG); for others it is plain bytes. Nothing else may be reserved in its core before
 * `finish`.
 *
 * Disposing of it gives the memory back: the bytes are then empty.
 */
export class UploadBuffer implements Disposable {
  #core: Core | undefined;
  #at = 0;
  #reserved = 0;
  #expected = 0;
  #length = 0;
  #file: OwnedBytes | undefined;

  /** Call this before the first `write`. @param bytes an upper bound of the file's length */
  expect(bytes: number): void {
    this.#expected = bytes;
  }

  /**
   * Appends a copy of the bytes.
   * @throws Fault 'limit' when the memory cannot grow that far
   */
  write(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    const core = this.#roomFor(this.#length + chunk.length);
    core.view(this.#at + this.#length, chunk.length).set(chunk);
    this.#length += chunk.length;
  }

  /** All bytes written; valid until something else is reserved in their core. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.file.bytes;
  }

  /** The file, once all of it is written. Disposing of either this or the file gives the memory back. */
  get file(): OwnedBytes {
    this.#file ??= this.#core
      ? new CoreBytes(this.#core, this.#at, this.#length)
      : new HeapBytes(new Uint8Array(0));
    return this.#file;
  }

  [Symbol.dispose](): void {
    this.#file?.[Symbol.dispose]();
    this.#core?.[Symbol.dispose]();
  }

  #roomFor(length: number): Core {
    this.#core ??= createCore(Math.min(this.#expected, UPLOAD_STEP) + ROOM_TO_DECODE);
    if (length <= this.#reserved) return this.#core;
    const size = this.#nextSize(length);
    const core = this.#movedForGrowth(this.#core, size + ROOM_TO_DECODE);
    const bytes = allocatedBytes(size - this.#reserved);
    const at = core.alloc(bytes);
    if (this.#reserved === 0) this.#at = at;
    this.#reserved += bytes;
    return core;
  }

  /** The core to use: an idle one if `core` is too small for this many bytes and the idle one is not. */
  #movedForGrowth(core: Core, bytes: number): Core {
    if (this.#reserved < MOVED_FROM || core.memoryBytes >= bytes || !isolateMemoryPool.hasIdle(bytes)) {
      return core;
    }
    const roomier = createCore(bytes);
    const at = roomier.alloc(this.#reserved);
    roomier.view(at, this.#length).set(core.view(this.#at, this.#length));
    core[Symbol.dispose]();
    this.#core = roomier;
    this.#at = at;
    return roomier;
  }

  /** Rounded up to whole steps, but no more than is expected. */
  #nextSize(length: number): number {
    const size = Math.ceil(length / UPLOAD_STEP) * UPLOAD_STEP;
    return length <= this.#expected ? Math.min(size, this.#expected) : size;
  }
}
