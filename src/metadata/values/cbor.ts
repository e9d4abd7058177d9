import type { Cursor } from '../cursor.ts';
import { textAt } from './text.ts';

/** Deepest nesting, and most items in one value. */
const MAX_DEPTH = 16;
const MAX_ITEMS = 16_384;
/** Work of an item besides its reads, in bytes searched. */
const ITEM = 128;

/**
 * CBOR values as far as they are needed: byte strings, and simple values except true and false, become null.
 */
export type Cbor = string | number | boolean | null | readonly Cbor[] | ReadonlyMap<Cbor, Cbor>;

/**
 * Decodes one CBOR item (RFC 8949) in a window, of definite or indefinite length; null if it is malformed,
 * too deep or has too many items. Texts are shortened like all values. Yields as scanners do.
 */
export const decodeCbor = (window: Cursor): Generator<number, Cbor> => new Decoder(window).item(0);

/** Ends an item of indefinite length, RFC 8949 §3.2.1. */
const BREAK = 0xff;

class Decoder {
  #at = 0;
  #items = 0;
  readonly #window: Cursor;

  constructor(window: Cursor) {
    this.#window = window;
  }

  *item(depth: number): Generator<number, Cbor> {
    this.#items += 1;
    const { meter } = this.#window;
    meter.work(ITEM);
    if (meter.isDue) yield meter.pause();
    const first = this.#window.u8(this.#at);
    if (first < 0 || depth > MAX_DEPTH || this.#items > MAX_ITEMS) return this.#give(null);
    this.#at += 1;
    const major = first >> 5;
    const argument = this.#argument(first & 31);
    switch (major) {
      case 0:
        return argument;
      case 1:
        return -1 - argument;
      case 2:
      case 3:
        return yield* this.#string(major, argument);
      case 4:
        return yield* this.#array(argument, depth);
      case 5:
        return yield* this.#map(argument, depth);
      case 6: // a tag, such as that of a date
        return yield* this.item(depth + 1);
      default:
        return (first & 31) === 20 ? false : (first & 31) === 21 ? true : null;
    }
  }

  /** The number after an initial byte, §3; Infinity for an indefinite length. */
  #argument(info: number): number {
    if (info < 24) return info;
    if (info === 31) return Number.POSITIVE_INFINITY;
    const width = info < 28 ? 2 ** (info - 24) : 0;
    const value = width === 0 ? -1 : this.#window.unsigned(this.#at, width);
    this.#at += width;
    return value < 0 ? this.#give(Number.NaN) : value;
  }

  *#string(major: number, length: number): Generator<number, Cbor> {
    const start = this.#at;
    if (length === Number.POSITIVE_INFINITY) {
      const parts: Cbor[] = [];
      while (!this.#ended() && this.#items <= MAX_ITEMS) parts.push(yield* this.item(MAX_DEPTH));
      return major === 3 ? parts.filter((part) => typeof part === 'string').join('') : null;
    }
    if (!(start + length <= this.#window.length)) return this.#give(null);
    this.#at += length;
    return major === 3 ? textAt(this.#window, start, start + length) : null;
  }

  *#array(count: number, depth: number): Generator<number, Cbor> {
    const items: Cbor[] = [];
    for (let n = 0; n < count && !this.#ended() && this.#items <= MAX_ITEMS; n++) {
      items.push(yield* this.item(depth + 1));
    }
    return items;
  }

  *#map(count: number, depth: number): Generator<number, Cbor> {
    const members = new Map<Cbor, Cbor>();
    for (let n = 0; n < count && !this.#ended() && this.#items <= MAX_ITEMS; n++) {
      const key = yield* this.item(depth + 1);
      members.set(key, yield* this.item(depth + 1));
    }
    return members;
  }

  /**
   * Whether a list ends here. Only lists of indefinite length have a break; no item begins with that byte.
   */
  #ended(): boolean {
    if (this.#at >= this.#window.length) return true;
    if (this.#window.u8(this.#at) !== BREAK) return false;
    this.#at += 1;
    return true;
  }

  /** Gives up: nothing more is read. */
  #give<T>(value: T): T {
    this.#at = this.#window.length;
    return value;
  }
}
