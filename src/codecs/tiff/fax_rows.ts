import { decodingFault } from '../../faults.ts';
import { FaxBits } from './fax_bits.ts';
import { type CodeTable, faxTables, MODE_BITS, Mode, RUN_BITS } from './fax_codes.ts';
import type { RowSource } from './row_source.ts';
import { Compression } from './tags.ts';

interface FaxOptions {
  readonly compression: number;
  /** Tag 292: bit 0 says that rows may be coded by the row above. */
  readonly t4Options: number;
  /** Pixels in a row. */
  readonly width: number;
  readonly reversed: boolean;
}

/** Bytes that one reader holds for each pixel of a row's width: the changes of two rows. */
export const FAX_BYTES_PER_PIXEL = 8;

/**
 * Fax rows: T.4 one- and two-dimensional (Group 3), T.6 (Group 4), and TIFF's modified Huffman without
 * end-of-line codes (compression 2, rows begin on whole bytes). One bit a pixel, 1 is black, whatever the
 * photometric interpretation.
 */
export class FaxRows implements RowSource {
  readonly #bits: FaxBits;
  readonly #tables = faxTables();
  readonly #options: FaxOptions;
  /**
   * Where the colour changes in the row in hand and the one above: white to black first, closed by the width,
   * twice.
   */
  #changes: Uint32Array;
  #above: Uint32Array;

  constructor(stored: Uint8Array, options: FaxOptions) {
    this.#bits = new FaxBits(stored, options.reversed);
    this.#options = options;
    this.#changes = new Uint32Array(options.width + 4);
    // Above the first row all is white (T.4 section 4.2.3).
    this.#above = new Uint32Array(options.width + 4).fill(options.width, 0, 3);
  }

  read(into: Uint8Array): number {
    const { compression, t4Options, width } = this.#options;
    let flat = true;
    if (compression === Compression.FaxRle) {
      this.#bits.alignToByte();
    } else if (compression === Compression.FaxGroup4) {
      flat = false;
    } else {
      const ends = this.#bits.skipEndOfLine();
      // Six in a row end the page (T.4 section 4.1.4); two leave no doubt.
      if (ends > 1) return 0;
      if ((t4Options & 1) === 1) flat = this.#bits.take(1) === 1;
    }
    if (this.#bits.exhausted) return 0;
    const count = flat ? this.#readFlat(width) : this.#readByRowAbove(width);
    if (count < 0) return 0;
    this.#changes.fill(width, count, count + 3);
    paint(this.#changes, count, width, into);
    [this.#changes, this.#above] = [this.#above, this.#changes];
    return into.length;
  }

  /** One run after another, white first. @returns how many changes, or −1 at the end of the data */
  #readFlat(width: number): number {
    let count = 0;
    let at = 0;
    let black = false;
    while (at < width) {
      const run = this.#run(black);
      if (run < 0) return -1;
      at += run;
      if (at > width) throw decodingFault(`The fax data has a row of ${at} pixels where ${width} are wanted`);
      // A row never has more changes than pixels, but for runs of none.
      if (at < width) count = this.#change(count, at);
      black = !black;
    }
    return count;
  }

  /** T.4 section 4.2.1: each change as it lies to those of the row above. @returns as `#readFlat` */
  #readByRowAbove(width: number): number {
    const above = this.#above;
    let count = 0;
    let at = 0;
    let started = false;
    let black = false;
    let b = 0;
    while (at < width) {
      const entry = this.#tables.modes[this.#bits.peek(MODE_BITS)]!;
      if (entry === 0) {
        if (this.#bits.exhausted || this.#bits.peek(12) === 1) return -1;
        throw decodingFault('The fax data has a code that stands for nothing');
      }
      this.#bits.skip(entry & 15);
      // b1: the first change above, right of here (at the start: from here), to the opposite of the colour in
      // hand.
      while (b > 0 && above[b - 1]! > at) b--;
      while (above[b]! < width && (above[b]! < at || (started && above[b] === at))) b++;
      if ((b & 1) !== (black ? 1 : 0) && above[b]! < width) b++;
      started = true;

      const mode = (entry >> 4) & 3;
      if (mode === Mode.Pass) {
        at = above[b]! < width ? above[b + 1]! : width;
      } else if (mode === Mode.Vertical) {
        const to = above[b]! + (entry >> 6) - 3;
        if (to < at || to > width) throw decodingFault(`The fax data turns back to pixel ${to} of ${width}`);
        at = to;
        if (at < width) count = this.#change(count, at);
        black = !black;
      } else {
        for (let runs = 0; runs < 2; runs++) {
          const run = this.#run(black);
          if (run < 0) return -1;
          at += run;
          if (at > width)
            throw decodingFault(`The fax data has a row of ${at} pixels where ${width} are wanted`);
          if (at < width) count = this.#change(count, at);
          black = !black;
        }
      }
    }
    return count;
  }

  /** Notes a change at pixel `at`. Two at one place undo each other. */
  #change(count: number, at: number): number {
    if (count > 0 && this.#changes[count - 1] === at) return count - 1;
    this.#changes[count] = at;
    return count + 1;
  }

  /**
   * One run: any number of codes for multiples of 64, then one below 64. @returns pixels, or −1 at the end of
   * the data
   */
  #run(black: boolean): number {
    const codes: CodeTable = black ? this.#tables.black : this.#tables.white;
    let total = 0;
    for (;;) {
      const entry = codes[this.#bits.peek(RUN_BITS)]!;
      if (entry === 0) {
        if (this.#bits.exhausted || this.#bits.peek(11) === 0) return -1;
        throw decodingFault('The fax data has a code that stands for nothing');
      }
      this.#bits.skip(entry & 15);
      if (this.#bits.overrun) return -1;
      const length = entry >> 4;
      total += length;
      if (length < 64) return total;
      if (total > this.#options.width) {
        throw decodingFault(`The fax data has a run of ${total} pixels in a row of ${this.#options.width}`);
      }
    }
  }
}

/** Writes a row of bits, the first pixel highest, from its changes of colour. */
function paint(changes: Uint32Array, count: number, width: number, into: Uint8Array): void {
  into.fill(0);
  for (let index = 0; index < count; index += 2) {
    const from = changes[index]!;
    const to = index + 1 < count ? changes[index + 1]! : width;
    const first = from >> 3;
    const last = to >> 3;
    if (first === last) {
      into[first]! |= (0xff >> (from & 7)) & ~(0xff >> (to & 7));
      continue;
    }
    into[first]! |= 0xff >> (from & 7);
    into.fill(0xff, first + 1, last);
    if ((to & 7) !== 0) into[last]! |= ~(0xff >> (to & 7)) & 0xff;
  }
}
