import { OutputRoomFault } from '../../faults.ts';

/** Spare room when the output grows, so that it seldom grows twice. */
const SPARE = 1.06;
const LEAST_GROWTH = 65_536;

/**
 * Bytes of a file as it is written, in one buffer: what is done so far tells how large the rest will be, so the buffer
 * grows early, while it is small, and never stands in memory twice at full size.
 */
export class Output {
  #room: number;
  readonly #moreRoom: () => number;
  #bytes = new Uint8Array(LEAST_GROWTH);
  #length = 0;

  /**
   * @param room the most bytes it may hold
   * @param moreRoom asked where that is not enough; returns the most from then on
   */
  constructor(room: number, moreRoom: () => number = () => room) {
    this.#room = room;
    this.#moreRoom = moreRoom;
  }

  get length(): number {
    return this.#length;
  }

  /**
   * @param done how much of the whole is written once these are, above 0 to 1
   * @throws OutputRoomFault when there would be more than the room
   */
  append(bytes: Uint8Array, done: number): void {
    const length = this.#length + bytes.length;
    if (length > this.#room) this.#room = this.#moreRoom();
    if (length > this.#room) {
      throw new OutputRoomFault(
        `The PNG would be larger than the ${this.#room} bytes that there is room for`,
      );
    }
    if (length > this.#bytes.length) {
      const guess = Math.max(length + LEAST_GROWTH, Math.ceil((length / done) * SPARE));
      const grown = new Uint8Array(Math.min(this.#room, guess));
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length = length;
  }

  /** Forgets what was written; the memory stays. */
  restart(): void {
    this.#length = 0;
  }

  /** Puts `bytes`, no longer than it is, in the place of [start, end). */
  replace(start: number, end: number, bytes: Uint8Array): void {
    this.#bytes.set(bytes, start);
    this.#bytes.copyWithin(start + bytes.length, end, this.#length);
    this.#length -= end - start - bytes.length;
  }

  take(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }
}
