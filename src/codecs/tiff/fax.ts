import { decodingFault } from '../../faults.ts';
import { bitOrder, type RowSource } from './rows.ts';
import { Compression } from './tags.ts';

/**
 * ITU-T T.4 tables 2 and 3a: the codes of white and black runs of 0 to 63 pixels, and of 64, 128 … 1728;
 * table 3b: of 1792, 1856 … 2560 in either colour.
 */
const WHITE_SHORT =
  '00110101 000111 0111 1000 1011 1100 1110 1111 10011 10100 00111 01000 001000 000011 110100 110101 ' +
  '101010 101011 0100111 0001100 0001000 0010111 0000011 0000100 0101000 0101011 0010011 0100100 0011000 ' +
  '00000010 00000011 00011010 00011011 00010010 00010011 00010100 00010101 00010110 00010111 00101000 ' +
  '00101001 00101010 00101011 00101100 00101101 00000100 00000101 00001010 00001011 01010010 01010011 ' +
  '01010100 01010101 00100100 00100101 01011000 01011001 01011010 01011011 01001010 01001011 00110010 ' +
  '00110011 00110100';
const WHITE_LONG =
  '11011 10010 010111 0110111 00110110 00110111 01100100 01100101 01101000 01100111 011001100 011001101 ' +
  '011010010 011010011 011010100 011010101 011010110 011010111 011011000 011011001 011011010 011011011 ' +
  '010011000 010011001 010011010 011000 010011011';
const BLACK_SHORT =
  '0000110111 010 11 10 011 0011 0010 00011 000101 000100 0000100 0000101 0000111 00000100 00000111 ' +
  '000011000 0000010111 0000011000 0000001000 00001100111 00001101000 00001101100 00000110111 00000101000 ' +
  '00000010111 00000011000 000011001010 000011001011 000011001100 000011001101 000001101000 000001101001 ' +
  '000001101010 000001101011 000011010010 000011010011 000011010100 000011010101 000011010110 000011010111 ' +
  '000001101100 000001101101 000011011010 000011011011 000001010100 000001010101 000001010110 000001010111 ' +
  '000001100100 000001100101 000001010010 000001010011 000000100100 000000110111 000000111000 000000100111 ' +
  '000000101000 000001011000 000001011001 000000101011 000000101100 000001011010 000001100110 000001100111';
const BLACK_LONG =
  '0000001111 000011001000 000011001001 000001011011 000000110011 000000110100 000000110101 0000001101100 ' +
  '0000001101101 0000001001010 0000001001011 0000001001100 0000001001101 0000001110010 0000001110011 ' +
  '0000001110100 0000001110101 0000001110110 0000001110111 0000001010010 0000001010011 0000001010100 ' +
  '0000001010101 0000001011010 0000001011011 0000001100100 0000001100101';
const LONGEST =
  '00000001000 00000001100 00000001101 000000010010 000000010011 000000010100 000000010101 000000010110 ' +
  '000000010111 000000011100 000000011101 000000011110 000000011111';

/** ITU-T T.4 table 4: how a change of colour relates to the row above. */
const Mode = { Pass: 1, Horizontal: 2, Vertical: 3 } as const;
const MODES: readonly (readonly [code: string, value: number])[] = [
  ['0001', Mode.Pass],
  ['001', Mode.Horizontal],
  // Vertical modes carry their offset, −3 to 3, above the mode.
  ['1', verticalMode(0)],
  ['011', verticalMode(1)],
  ['000011', verticalMode(2)],
  ['0000011', verticalMode(3)],
  ['010', verticalMode(-1)],
  ['000010', verticalMode(-2)],
  ['0000010', verticalMode(-3)],
];

function verticalMode(offset: number): number {
  return Mode.Vertical + ((offset + 3) << 2);
}

/** Bits that are looked at to find a run's code, and a mode's. */
const RUN_BITS = 13;
const MODE_BITS = 7;

/** For every prefix of this many bits: value × 16 + bits of the code, or 0 if no code begins so. */
type CodeTable = Uint16Array;

function table(bits: number, codes: readonly (readonly [code: string, value: number])[]): CodeTable {
  const entries = new Uint16Array(1 << bits);
  for (const [code, value] of codes) {
    const spare = bits - code.length;
    const first = Number.parseInt(code, 2) << spare;
    entries.fill(value * 16 + code.length, first, first + (1 << spare));
  }
  return entries;
}

const runs = (text: string, first: number, step: number) =>
  text.split(' ').map((code, index) => [code, first + index * step] as const);

/**
 * Every run code of one colour with its length in pixels; lengths of 64 and more are followed by another
 * code.
 */
export const runCodes = (black: boolean): readonly (readonly [code: string, length: number])[] => [
  ...runs(black ? BLACK_SHORT : WHITE_SHORT, 0, 1),
  ...runs(black ? BLACK_LONG : WHITE_LONG, 64, 64),
  ...runs(LONGEST, 1792, 64),
];

interface FaxTables {
  readonly white: CodeTable;
  readonly black: CodeTable;
  readonly modes: CodeTable;
}

let built: FaxTables | undefined;

/** The tables, built at first use: 33 KB. */
function faxTables(): FaxTables {
  built ??= {
    white: table(RUN_BITS, runCodes(false)),
    black: table(RUN_BITS, runCodes(true)),
    modes: table(MODE_BITS, MODES),
  };
  return built;
}

/** The most zeros before an end of line, which let slow machines catch up. More would keep others waiting. */
const MOST_FILL = 1 << 19;
/**
 * Codes that a row may have in addition to two per pixel: empty runs are legal, but endless ones would keep
 * others waiting.
 */
const SPARE_CODES = 1024;

/** Bits of fax data, the highest of each byte first; zeros follow after the end. */
class FaxBits {
  readonly #stored: Uint8Array;
  readonly #order: Uint8Array;
  /** The next bit to be taken. */
  #at = 0;

  constructor(stored: Uint8Array, reversed: boolean) {
    this.#stored = stored;
    this.#order = bitOrder(reversed);
  }

  /** All bits have been taken. */
  get exhausted(): boolean {
    return this.#at >= this.#stored.length * 8;
  }

  /** More bits were taken than there are. */
  get overrun(): boolean {
    return this.#at > this.#stored.length * 8;
  }

  /** The next `count` bits (at most 16) without taking them. */
  peek(count: number): number {
    const byte = this.#at >> 3;
    const order = this.#order;
    const stored = this.#stored;
    const three =
      ((byte < stored.length ? order[stored[byte]!]! : 0) << 16) |
      ((byte + 1 < stored.length ? order[stored[byte + 1]!]! : 0) << 8) |
      (byte + 2 < stored.length ? order[stored[byte + 2]!]! : 0);
    return (three >> (24 - (this.#at & 7) - count)) & ((1 << count) - 1);
  }

  skip(count: number): void {
    this.#at += count;
  }

  take(count: number): number {
    const bits = this.peek(count);
    this.#at += count;
    return bits;
  }

  /** @returns whether only zeros were passed over */
  alignToByte(): boolean {
    const left = -this.#at & 7;
    return this.take(left) === 0;
  }

  /**
   * Skips end-of-line codes: eleven zeros or more (fill counts) and a one.
   * @returns how many came one after another
   */
  skipEndOfLine(): number {
    let codes = 0;
    while (this.peek(11) === 0 && !this.exhausted) {
      this.#at += 11;
      const from = this.#at;
      while (this.peek(1) === 0 && !this.exhausted && this.#at - from <= MOST_FILL) this.#at++;
      if (this.#at - from > MOST_FILL) {
        throw decodingFault(`The fax data has ${this.#at - from} bits of fill on end`);
      }
      this.#at++;
      codes++;
    }
    return codes;
  }
}

/** Rows by which it is told whether they begin on whole bytes. */
const TRIED_ROWS = 16;

export interface FaxOptions {
  readonly compression: number;
  /** Tag 292: bit 0 means that rows may be coded relative to the row above. */
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
   * Where the colour changes in the current row and in the one above: the first change is white to black; the
   * width closes the list, twice.
   */
  #changes: Uint32Array;
  #above: Uint32Array;

  /** Whether rows begin on whole bytes; undefined before the first. */
  #isAligned: boolean | undefined;
  /** Whether only zeros stood between the end of a row and the next byte, so far. */
  #isPadded = true;
  readonly #stored: Uint8Array;

  constructor(stored: Uint8Array, options: FaxOptions) {
    this.#stored = stored;
    this.#bits = new FaxBits(stored, options.reversed);
    this.#options = options;
    this.#changes = new Uint32Array(options.width + 4);
    // Everything above the first row is white (T.4 section 4.2.3).
    this.#above = new Uint32Array(options.width + 4).fill(options.width, 0, 3);
  }

  read(into: Uint8Array): number {
    const { compression, t4Options, width } = this.#options;
    let oneDimensional = true;
    this.#isAligned ??= this.#areRowsAligned();
    if (this.#isAligned) {
      this.#isPadded &&= this.#bits.alignToByte();
    } else if (compression === Compression.FaxGroup4) {
      oneDimensional = false;
    } else {
      const ends = this.#bits.skipEndOfLine();
      // Six in a row end the page (T.4 section 4.1.4); two leave no doubt.
      if (ends > 1) return 0;
      if ((t4Options & 1) === 1) oneDimensional = this.#bits.take(1) === 1;
    }
    if (this.#bits.exhausted) return 0;
    const count = oneDimensional ? this.#readOneDimensional(width) : this.#readTwoDimensional(width);
    if (count < 0) return 0;
    this.#changes.fill(width, count, count + 3);
    paint(this.#changes, count, width, into);
    [this.#changes, this.#above] = [this.#above, this.#changes];
    return into.length;
  }

  /**
   * Whether rows begin on whole bytes. Some programs call modified Huffman (compression 2) Group 3. It has no
   * code before its first row, and zeros between its rows.
   */
  #areRowsAligned(): boolean {
    const { compression, t4Options, width } = this.#options;
    if (compression !== Compression.FaxGroup3) return compression === Compression.FaxRle;
    if ((t4Options & 1) === 1 || this.#bits.peek(11) === 0) return false;
    const trial = new FaxRows(this.#stored, { ...this.#options, compression: Compression.FaxRle });
    const row = new Uint8Array((width + 7) >> 3);
    try {
      let read = row.length;
      for (let n = 0; n < TRIED_ROWS && read > 0 && trial.#isPadded; n++) read = trial.read(row);
      return trial.#isPadded;
    } catch {
      return false;
    }
  }

  /** One run after another, white first. @returns how many changes, or −1 at the end of the data */
  #readOneDimensional(width: number): number {
    let count = 0;
    let at = 0;
    let black = false;
    for (let codes = 0; at < width; codes++) {
      requireFew(codes, width);
      const run = this.#run(black);
      if (run < 0) return -1;
      at += run;
      if (at > width) throw decodingFault(`The fax data has a row of ${at} pixels where ${width} are wanted`);
      // A row has at most as many changes as pixels, except with empty runs.
      if (at < width) count = this.#change(count, at);
      black = !black;
    }
    return count;
  }

  /**
   * T.4 section 4.2.1: each change relative to those of the row above.
   * @returns as `#readOneDimensional`
   */
  #readTwoDimensional(width: number): number {
    const above = this.#above;
    let count = 0;
    let at = 0;
    let started = false;
    let black = false;
    let b = 0;
    for (let codes = 0; at < width; codes++) {
      requireFew(codes, width);
      const entry = this.#tables.modes[this.#bits.peek(MODE_BITS)]!;
      if (entry === 0) {
        if (this.#bits.exhausted || this.#bits.peek(12) === 1) return -1;
        throw decodingFault('The fax data has a code that stands for nothing');
      }
      this.#bits.skip(entry & 15);
      // b1: the first change above, right of here (at the start: from here), to the opposite of the current
      // colour.
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

  /** Notes a change at pixel `at`. Two changes at the same place cancel out. */
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

function requireFew(codes: number, width: number): void {
  if (codes > 2 * width + SPARE_CODES) {
    throw decodingFault(`The fax data has a row of ${codes} codes where ${width} pixels are wanted`);
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
