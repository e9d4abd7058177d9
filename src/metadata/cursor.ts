import type { ByteRange } from './facts.ts';

/**
 * Most reads that a scan may make per byte of the file. Real files take less than 2, as a test checks.
 * Hostile files can demand the same bytes again and again, by overlapping items, directories and text blocks;
 * this limit keeps the time linear.
 */
export const READS_PER_BYTE = 4;
/** Reads granted to any file, however small. */
export const BASE_READS = 4096;
/**
 * Bytes that a search compares one by one before it calls indexOf; that call costs as much as a few dozen.
 */
const NEAR = 24;

/**
 * Work between two pauses of a scan. The unit of work is the bytes that a search passes in the same time:
 * this many take a millisecond or two.
 */
export const WORK_AT_ONCE = 2 << 20;
/**
 * Work of a call and of handling its result, in bytes searched. Twice what it takes once it is compiled for
 * good: a walk of a million structures is over before that, or runs on a busy machine.
 */
const SEARCHED_A_CALL = 96;
/** Work of a place that matches only the beginning of a text, in bytes searched. */
const CANDIDATE = 16;
/** Work of creating a short string, in bytes searched. */
const MAKING_TEXT = 128;
/** Work of a view of a part of the bytes, in bytes searched. */
export const VIEW_WORK = 256;
/** Bytes searched between two checks whether a pause is due. */
const SEARCHED_AT_ONCE = 1 << 18;

/** Counts the reads of one scan, shared by all its windows. */
class Meter {
  reads = 0;
  limit: number;
  /** Work since the last pause, in bytes searched. */
  #work = 0;
  readonly #length: number;
  constructor(length: number) {
    this.#length = length;
    this.limit = length * READS_PER_BYTE + BASE_READS;
  }
  /** Grants a full allowance of reads again, from now on. */
  renew(): void {
    this.limit = this.reads + this.#length * READS_PER_BYTE + BASE_READS;
  }
  get spent(): boolean {
    return this.reads > this.limit;
  }
  /** Whether so much work was done since the last pause that other jobs should have a turn. */
  get isDue(): boolean {
    return this.#work >= WORK_AT_ONCE;
  }
  /** The work since the last pause, in bytes searched, for a scanner to yield. Resets the count. */
  pause(): number {
    const work = this.#work;
    this.#work = 0;
    return work;
  }
  /** Adds work other than reads, in bytes searched. */
  work(bytes: number): void {
    this.#work += bytes;
  }
  /** Counts `cost` reads. Returns false once the allowance is used up, and from then on. */
  charge(cost: number): boolean {
    this.#work += SEARCHED_A_CALL + cost;
    this.reads += Math.min(cost, Math.max(0, this.limit + 1 - this.reads));
    return this.reads <= this.limit;
  }
}

/**
 * The only way scanners read bytes; decoders also use it to walk the same containers. Every read is checked
 * against the window and counted. A read that would leave the window, or comes after the allowance is used
 * up, returns −1, which no unsigned value is. Nothing is copied.
 */
export class Cursor {
  readonly bytes: Uint8Array;
  readonly length: number;
  /** Offset of the window in the file. */
  readonly origin: number;
  readonly meter: Meter;
  /** The place to report if the window holds joined or inflated bytes, whose offsets are not file offsets. */
  readonly place: ByteRange | undefined;

  constructor(bytes: Uint8Array, origin = 0, meter: Meter = new Meter(bytes.length), place?: ByteRange) {
    this.bytes = bytes;
    this.origin = origin;
    this.meter = meter;
    this.place = place;
    this.length = bytes.length;
  }

  /** A cursor with unlimited reads, for decoders, which bound their work by other means. */
  static unlimited(bytes: Uint8Array): Cursor {
    return new Cursor(bytes, 0, new Meter(Number.POSITIVE_INFINITY));
  }

  /** The part [start, end) of this window, clipped to it; shares its meter. */
  window(start: number, end: number): Cursor {
    const from = Math.min(Math.max(start, 0), this.length);
    const to = Math.min(Math.max(end, from), this.length);
    this.meter.work(VIEW_WORK);
    return new Cursor(this.bytes.subarray(from, to), this.origin + from, this.meter, this.place);
  }

  /** A window over joined pieces of the file, reported at `place`; shares this meter. */
  over(bytes: Uint8Array, place: ByteRange): Cursor {
    return new Cursor(bytes, 0, this.meter, place);
  }

  /**
   * Like `over`, for bytes produced from the file's, such as inflated text: they add to the allowance of
   * reads.
   */
  unpacked(bytes: Uint8Array, place: ByteRange): Cursor {
    this.meter.limit += bytes.length * READS_PER_BYTE;
    return this.over(bytes, this.place ?? { start: this.origin + place.start, end: this.origin + place.end });
  }

  /**
   * Charges `cost` reads and returns whether [at, at + count) lies inside the window and the allowance is not
   * used up.
   */
  #may(at: number, count: number, cost: number): boolean {
    // written so that NaN fails
    return at >= 0 && count >= 0 && at + count <= this.length && this.meter.charge(cost);
  }

  u8(at: number): number {
    return this.#may(at, 1, 1) ? this.bytes[at]! : -1;
  }

  u16(at: number, little = false): number {
    if (!this.#may(at, 2, 1)) return -1;
    const first = this.bytes[at]!;
    const second = this.bytes[at + 1]!;
    return little ? (second << 8) | first : (first << 8) | second;
  }

  u24(at: number, little = false): number {
    if (!this.#may(at, 3, 1)) return -1;
    const first = this.bytes[at]!;
    const middle = this.bytes[at + 1]! << 8;
    const last = this.bytes[at + 2]!;
    return little ? (last << 16) | middle | first : (first << 16) | middle | last;
  }

  u32(at: number, little = false): number {
    if (!this.#may(at, 4, 1)) return -1;
    const b = this.bytes;
    return (
      (little
        ? (b[at + 3]! << 24) | (b[at + 2]! << 16) | (b[at + 1]! << 8) | b[at]!
        : (b[at]! << 24) | (b[at + 1]! << 16) | (b[at + 2]! << 8) | b[at + 3]!) >>> 0
    );
  }

  /** A 64-bit unsigned number; rounded above 2^53, which no file offset reaches. */
  u64(at: number, little = false): number {
    const high = this.u32(little ? at + 4 : at, little);
    const low = this.u32(little ? at : at + 4, little);
    return high < 0 || low < 0 ? -1 : high * 0x1_0000_0000 + low;
  }

  /** An unsigned number of `width` bytes, big-endian; width 0 is 0 and any other but 1, 2, 4, 8 is −1. */
  unsigned(at: number, width: number): number {
    switch (width) {
      case 0:
        return 0;
      case 1:
        return this.u8(at);
      case 2:
        return this.u16(at);
      case 4:
        return this.u32(at);
      case 8:
        return this.u64(at);
      default:
        return -1;
    }
  }

  /** Whether these Latin-1 characters are at `at`. */
  matches(at: number, text: string): boolean {
    return this.#may(at, text.length, 1) && this.#spells(at, text);
  }

  /** The first offset of `byte` in [from, to), or −1. Each byte passed counts as a read. */
  find(byte: number, from: number, to = this.length): number {
    const end = Math.min(to, this.length);
    if (!(from >= 0 && from < end) || this.meter.spent) return -1;
    const found = this.#search(byte, from, end);
    return this.meter.charge((found < 0 ? end : found + 1) - from) ? found : -1;
  }

  /** The first offset of these Latin-1 characters in [from, to), or −1. Each byte passed counts as a read. */
  findText(text: string, from: number, to = this.length): number {
    const end = Math.min(to, this.length) - text.length + 1;
    if (!(from >= 0 && from < end) || this.meter.spent) return -1;
    let at = this.#search(text.charCodeAt(0), from, end);
    for (; at >= 0 && !this.#spells(at, text); at = this.#search(text.charCodeAt(0), at + 1, end)) {
      this.meter.work(CANDIDATE);
    }
    return this.meter.charge((at < 0 ? end : at + 1) - from) ? at : -1;
  }

  /** Like `findText` to the end of the window, but yields as scanners do. */
  *search(text: string, from: number): Generator<number, number> {
    for (let at = from; at < this.length && !this.meter.spent; at += SEARCHED_AT_ONCE) {
      const found = this.findText(text, at, at + SEARCHED_AT_ONCE + text.length - 1);
      if (found >= 0) return found;
      if (this.meter.isDue) yield this.meter.pause();
    }
    return -1;
  }

  /**
   * The first offset from `from` on whose byte is not `byte`, or the end. Each byte passed counts as a read.
   * Yields as scanners do.
   */
  *pass(byte: number, from: number): Generator<number, number> {
    for (let at = from; ; ) {
      const stop = Math.min(this.length, at + SEARCHED_AT_ONCE);
      const start = at;
      while (at < stop && this.bytes[at] === byte) at++;
      if (!this.meter.charge(at - start)) return this.length;
      if (at < stop || at === this.length) return at;
      if (this.meter.isDue) yield this.meter.pause();
    }
  }

  /**
   * A loop over the first NEAR bytes, then indexOf on a view that ends at `end`, so that it never searches
   * beyond.
   */
  #search(byte: number, from: number, end: number): number {
    const near = Math.min(end, from + NEAR);
    for (let at = from; at < near; at++) {
      if (this.bytes[at] === byte) return at;
    }
    return near < end
      ? (end < this.length ? this.bytes.subarray(0, end) : this.bytes).indexOf(byte, near)
      : -1;
  }

  #spells(at: number, text: string): boolean {
    for (let i = 0; i < text.length; i++) {
      if (this.bytes[at + i] !== text.charCodeAt(i)) return false;
    }
    return true;
  }

  /** Latin-1 characters of [start, end), at most `most`. */
  text(start: number, end: number, most: number): string {
    const stop = Math.min(end, start + most);
    if (!(stop > start) || !this.#may(start, stop - start, stop - start)) return '';
    this.meter.work(MAKING_TEXT);
    let text = '';
    for (let at = start; at < stop; at++) text += String.fromCharCode(this.bytes[at]!);
    return text;
  }

  /**
   * The bytes of [start, end) for a routine that reads each once; charged accordingly. Null if they leave the
   * window.
   * @param cost reads that it counts as, for a routine that reads several bytes at once
   */
  span(start: number, end: number, cost = end - start): Uint8Array | null {
    if (!this.#may(start, end - start, cost)) return null;
    this.meter.work(VIEW_WORK);
    return this.bytes.subarray(start, end);
  }
}
