import { type Core, createCore } from '../core/instance.ts';
import { allocatedBytes, heldBytesFor } from '../core/sizes.ts';
import { Fault, OutputRoomFault } from '../faults.ts';

/** The memory grows by so much at a time. */
const STEP = 1 << 18;

/**
 * What an output of `length` bytes holds, at most; so much more than one of none that there is room for its
 * bytes.
 */
export function outputBufferBytes(length: number): number {
  return heldBytesFor([]) + Math.ceil(length / STEP) * STEP;
}

/**
 * Bytes of a file as it is written, in the memory of a core of its own: that grows where it stands, so that a
 * file of unknown length is never copied and holds hardly more than itself. Whoever takes the bytes gives the
 * core back (owned_bytes.ts); where no file comes of it, dispose.
 */
export class OutputBuffer implements Disposable {
  readonly #format: string;
  #room: number;
  readonly #moreRoom: () => number;
  readonly #core: Core;
  #at = 0;
  #reserved = 0;
  #length = 0;

  /**
   * @param format of the file, for messages: "PNG"
   * @param room the most bytes it may hold
   * @param moreRoom asked where that is not enough; returns the most from then on
   * @param expectedBytes that it will probably hold, so that a memory of that size is found
   */
  constructor(format: string, room: number, moreRoom: () => number = () => room, expectedBytes = 0) {
    this.#format = format;
    this.#room = room;
    this.#moreRoom = moreRoom;
    this.#core = createCore(expectedBytes);
  }

  get length(): number {
    return this.#length;
  }

  /** @throws OutputRoomFault when there would be more than the room */
  append(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#room) this.#room = this.#moreRoom();
    if (length > this.#room) {
      throw new OutputRoomFault(
        `The ${this.#format} would be larger than the ${this.#room} bytes that there is room for`,
      );
    }
    while (this.#reserved < length) this.#grow();
    this.#core.view(this.#at + this.#length, bytes.length).set(bytes);
    this.#length = length;
  }

  /** Forgets what was written; the memory stays. */
  restart(): void {
    this.#length = 0;
  }

  /** Puts `bytes`, no longer than it is, in the place of [start, end). */
  replace(start: number, end: number, bytes: Uint8Array): void {
    const written = this.take();
    written.set(bytes, start);
    written.copyWithin(start + bytes.length, end);
    this.#length -= end - start - bytes.length;
  }

  take(): Uint8Array<ArrayBuffer> {
    return this.#core.view(this.#at, this.#length);
  }

  [Symbol.dispose](): void {
    this.#core[Symbol.dispose]();
  }

  /** Nothing else is reserved in this core: each step follows the last without a gap. */
  #grow(): void {
    const step = Math.min(STEP, allocatedBytes(this.#room - this.#reserved));
    try {
      const at = this.#core.alloc(step);
      if (this.#reserved === 0) this.#at = at;
    } catch (error) {
      if (error instanceof Fault) {
        throw new OutputRoomFault(`There is no memory left for the ${this.#format}`);
      }
      throw error;
    }
    this.#reserved += step;
  }
}
