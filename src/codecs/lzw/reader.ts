import { decodingFault } from '../../faults.ts';

/** The compressed bytes in pieces, in order; the container decides how they are framed. */
export interface LzwInput {
  /**
   * The next piece, of one byte or more, or undefined at the end. It must stay unchanged until the next is
   * asked for.
   */
  next(): Uint8Array | undefined;
  /** A second input at the same place. */
  clone(): LzwInput;
}

export interface LzwOptions {
  /** Bits of a literal, 0 to 11: the clear code is 1 << literalBits, the end code follows it. */
  readonly literalBits: number;
  /** TIFF 6.0 section 13 widens codes one entry earlier than GIF89a appendix F does. */
  readonly earlyChange: boolean;
  /** Codes are packed from the most significant bit down (TIFF), or from the least significant up (GIF). */
  readonly descending: boolean;
}

/** Codes have 12 bits at most, in GIF89a appendix F and in TIFF 6.0 section 13 alike. */
const MAX_WIDTH = 12;
const TABLE_SIZE = 1 << MAX_WIDTH;

/** The most clear codes in succession: one is enough, and megabytes of them would yield nothing. */
const MOST_CLEARS = 65_536;

const NOTHING = new Uint8Array(0);

/** Bytes that one `LzwReader` holds: its string table and one string that did not fit the last read. */
export const LZW_STATE_BYTES = TABLE_SIZE * (2 + 2 + 1 + 1 + 1);

/**
 * LZW as in GIF and TIFF: a stream of codes is read as bytes, as many at a time as the caller asks for. This
 * bounds work and memory: nothing but the string in progress is expanded ahead.
 */
export class LzwReader {
  #input: LzwInput;
  #options: LzwOptions;
  readonly #prefix = new Uint16Array(TABLE_SIZE);
  readonly #length = new Uint16Array(TABLE_SIZE);
  readonly #suffix = new Uint8Array(TABLE_SIZE);
  readonly #first = new Uint8Array(TABLE_SIZE);
  /** The string that crossed the end of the last read; its unread part is [pendingAt, pendingEnd). */
  readonly #pending = new Uint8Array(TABLE_SIZE);
  #pendingAt = 0;
  #pendingEnd = 0;
  #width = 0;
  #next = 0;
  #previous = -1;
  #ended = false;
  /** The current piece, read up to #at, and its bits not yet used for codes. */
  #piece: Uint8Array = NOTHING;
  #at = 0;
  #bits = 0;
  #bitCount = 0;

  constructor(input: LzwInput, options: LzwOptions) {
    this.#input = input;
    this.#options = options;
    const literals = 1 << options.literalBits;
    for (let code = 0; code < literals; code++) {
      this.#length[code] = 1;
      this.#suffix[code] = code;
      this.#first[code] = code;
    }
    this.restart(input, options);
  }

  /**
   * Begins with other data, in the same memory: a picture may be a million streams of a few bytes. The table
   * keeps its literals; no string is read before it is set again.
   * @param options with the same number of literal bits
   */
  restart(input: LzwInput, options: LzwOptions): void {
    if (options.literalBits !== this.#options.literalBits) throw new Error('The literals are others');
    this.#input = input;
    this.#options = options;
    this.#pendingAt = 0;
    this.#pendingEnd = 0;
    this.#width = options.literalBits + 1;
    this.#next = (1 << options.literalBits) + 2;
    this.#previous = -1;
    this.#ended = false;
    this.#piece = NOTHING;
    this.#at = 0;
    this.#bits = 0;
    this.#bitCount = 0;
  }

  /** A second reader at the same place, so that a later part can be read alongside this one. */
  clone(): LzwReader {
    const twin = new LzwReader(this.#input.clone(), this.#options);
    twin.#prefix.set(this.#prefix);
    twin.#length.set(this.#length);
    twin.#suffix.set(this.#suffix);
    twin.#first.set(this.#first);
    twin.#pending.set(this.#pending);
    twin.#pendingAt = this.#pendingAt;
    twin.#pendingEnd = this.#pendingEnd;
    twin.#width = this.#width;
    twin.#next = this.#next;
    twin.#previous = this.#previous;
    twin.#ended = this.#ended;
    twin.#piece = this.#piece;
    twin.#at = this.#at;
    twin.#bits = this.#bits;
    twin.#bitCount = this.#bitCount;
    return twin;
  }

  /**
   * Fills `into` and returns the number of bytes written: fewer than its length only when the data ends
   * there.
   * @throws Fault 'decoding' at a code without a string
   */
  read(into: Uint8Array): number {
    const end = into.length;
    let at = 0;
    if (this.#pendingAt < this.#pendingEnd) {
      const count = Math.min(this.#pendingEnd - this.#pendingAt, end);
      into.set(this.#pending.subarray(this.#pendingAt, this.#pendingAt + count));
      this.#pendingAt += count;
      at = count;
    }
    if (this.#ended) return at;

    // Everything the loop touches is local: this is where a GIF or an LZW TIFF spends its time.
    const prefix = this.#prefix;
    const length = this.#length;
    const suffix = this.#suffix;
    const first = this.#first;
    const pending = this.#pending;
    const { literalBits, descending } = this.#options;
    const clear = 1 << literalBits;
    const early = this.#options.earlyChange ? 1 : 0;
    let width = this.#width;
    let next = this.#next;
    let previous = this.#previous;
    let piece = this.#piece;
    let pieceAt = this.#at;
    let bits = this.#bits;
    let bitCount = this.#bitCount;
    let clears = 0;

    codes: while (at < end) {
      while (bitCount < width) {
        if (pieceAt === piece.length) {
          const following = this.#input.next();
          if (following === undefined) {
            this.#ended = true;
            break codes;
          }
          piece = following;
          pieceAt = 0;
        }
        // At most 11 bits are left over and 8 are added: older ones above them are masked off.
        bits = descending ? (bits << 8) | piece[pieceAt++]! : bits | (piece[pieceAt++]! << bitCount);
        bitCount += 8;
      }
      bitCount -= width;
      let code: number;
      if (descending) {
        code = (bits >>> bitCount) & ((1 << width) - 1);
      } else {
        code = bits & ((1 << width) - 1);
        bits >>>= width;
      }
      if (code >= clear) {
        if (code === clear) {
          if (previous < 0 && ++clears > MOST_CLEARS) {
            throw decodingFault(`The LZW data has ${clears} clear codes on end`);
          }
          width = literalBits + 1;
          next = clear + 2;
          previous = -1;
          continue;
        }
        if (code === clear + 1) {
          this.#ended = true;
          break;
        }
        if (code > next || previous < 0) {
          throw decodingFault(`The LZW data uses code ${code} before any string was given to it`);
        }
      }

      if (previous >= 0 && next < TABLE_SIZE) {
        prefix[next] = previous;
        length[next] = length[previous]! + 1;
        first[next] = first[previous]!;
        suffix[next] = code === next ? first[previous]! : first[code]!;
        next++;
        if (next + early === 1 << width && width < MAX_WIDTH) width++;
      }
      previous = code;

      const size = length[code]!;
      if (size === 1) {
        into[at++] = suffix[code]!;
        continue;
      }
      let link = code;
      if (at + size <= end) {
        for (let to = at + size - 1; to > at; to--) {
          into[to] = suffix[link]!;
          link = prefix[link]!;
        }
        into[at] = suffix[link]!;
        at += size;
      } else {
        for (let to = size - 1; to > 0; to--) {
          pending[to] = suffix[link]!;
          link = prefix[link]!;
        }
        pending[0] = suffix[link]!;
        const count = end - at;
        into.set(pending.subarray(0, count), at);
        at = end;
        this.#pendingAt = count;
        this.#pendingEnd = size;
      }
    }
    this.#width = width;
    this.#next = next;
    this.#previous = previous;
    this.#piece = piece;
    this.#at = pieceAt;
    this.#bits = bits;
    this.#bitCount = bitCount;
    return at;
  }
}
