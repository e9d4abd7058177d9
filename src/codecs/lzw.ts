import { decodingFault } from '../faults.ts';

/** Where an LZW reader takes its codes from: the bit order and the block structure are the container's. */
export interface CodeSource {
  /** The next code of `width` bits (1 to 12), or −1 when the data ends before it. */
  next(width: number): number;
  /** A second source at the same place. */
  clone(): CodeSource;
}

export interface LzwOptions {
  /** Bits of a literal, 0 to 11: the clear code is 1 << literalBits, the end code follows it. */
  readonly literalBits: number;
  /** TIFF 6.0 section 13 widens codes one entry earlier than GIF89a appendix F does. */
  readonly earlyChange: boolean;
}

/** Codes have 12 bits at most, in GIF89a appendix F and in TIFF 6.0 section 13 alike. */
const MAX_WIDTH = 12;
const TABLE_SIZE = 1 << MAX_WIDTH;

/** Bytes that one `LzwReader` holds: its string table and one string that did not fit the last read. */
export const LZW_STATE_BYTES = TABLE_SIZE * (2 + 2 + 1 + 1 + 1);

/**
 * LZW as GIF and TIFF use it: a stream of codes read as bytes, as many at a time as the caller has room for.
 * Work and memory are bounded by what is asked for: nothing is expanded ahead but the string in progress.
 */
export class LzwReader {
  readonly #codes: CodeSource;
  readonly #options: LzwOptions;
  readonly #prefix = new Uint16Array(TABLE_SIZE);
  readonly #length = new Uint16Array(TABLE_SIZE);
  readonly #suffix = new Uint8Array(TABLE_SIZE);
  readonly #first = new Uint8Array(TABLE_SIZE);
  /** The string that crossed the end of the last read; its unread part is [heldAt, heldEnd). */
  readonly #held = new Uint8Array(TABLE_SIZE);
  #heldAt = 0;
  #heldEnd = 0;
  #width: number;
  #next: number;
  #previous = -1;
  #ended = false;

  constructor(codes: CodeSource, options: LzwOptions) {
    this.#codes = codes;
    this.#options = options;
    this.#width = options.literalBits + 1;
    this.#next = (1 << options.literalBits) + 2;
    const literals = 1 << options.literalBits;
    for (let code = 0; code < literals; code++) {
      this.#length[code] = 1;
      this.#suffix[code] = code;
      this.#first[code] = code;
    }
  }

  /** A second reader at the same place, so that a later part can be read alongside this one. */
  clone(): LzwReader {
    const twin = new LzwReader(this.#codes.clone(), this.#options);
    twin.#prefix.set(this.#prefix);
    twin.#length.set(this.#length);
    twin.#suffix.set(this.#suffix);
    twin.#first.set(this.#first);
    twin.#held.set(this.#held);
    twin.#heldAt = this.#heldAt;
    twin.#heldEnd = this.#heldEnd;
    twin.#width = this.#width;
    twin.#next = this.#next;
    twin.#previous = this.#previous;
    twin.#ended = this.#ended;
    return twin;
  }

  /**
   * Fills `into` and returns the bytes written: fewer than its length only when the data ends there.
   * @throws Fault 'decoding' at a code that no string has been given
   */
  read(into: Uint8Array): number {
    const end = into.length;
    let at = 0;
    if (this.#heldAt < this.#heldEnd) {
      const count = Math.min(this.#heldEnd - this.#heldAt, end);
      into.set(this.#held.subarray(this.#heldAt, this.#heldAt + count));
      this.#heldAt += count;
      at = count;
    }
    if (this.#ended) return at;

    const codes = this.#codes;
    const prefix = this.#prefix;
    const length = this.#length;
    const suffix = this.#suffix;
    const first = this.#first;
    const clear = 1 << this.#options.literalBits;
    const early = this.#options.earlyChange ? 1 : 0;
    let width = this.#width;
    let next = this.#next;
    let previous = this.#previous;

    while (at < end) {
      const code = codes.next(width);
      if (code < clear) {
        if (code < 0) {
          this.#ended = true;
          break;
        }
      } else if (code === clear) {
        width = this.#options.literalBits + 1;
        next = clear + 2;
        previous = -1;
        continue;
      } else if (code === clear + 1) {
        this.#ended = true;
        break;
      } else if (code > next || previous < 0 || (code === next && next === TABLE_SIZE)) {
        throw decodingFault(`The LZW data uses code ${code} before any string was given to it`);
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
      const fits = at + size <= end;
      const target = fits ? into : this.#held;
      const start = fits ? at : 0;
      let link = code;
      for (let to = start + size - 1; to > start; to--) {
        target[to] = suffix[link]!;
        link = prefix[link]!;
      }
      target[start] = suffix[link]!;
      if (fits) {
        at += size;
      } else {
        const count = end - at;
        into.set(target.subarray(0, count), at);
        at = end;
        this.#heldAt = count;
        this.#heldEnd = size;
      }
    }
    this.#width = width;
    this.#next = next;
    this.#previous = previous;
    return at;
  }
}
