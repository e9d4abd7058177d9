import type { EntropyReader, HuffmanCode } from './entropy_reader.ts';

/** Coefficients of a block. */
const COEFFICIENTS = 64;
/** Most bits of a DC difference, for 12-bit samples (T.81 table F.1). */
const LARGEST = 15;
/** Run length of the code for sixteen zeros (ZRL), whose size is 0 (T.81 F.1.2.2). */
const SIXTEEN_ZEROS = 15;

/** The band of coefficients in a scan, and its successive approximation (T.81 G.1.1.1). */
export interface Band {
  readonly start: number;
  readonly end: number;
  readonly high: number;
}

/** Skips the data of a sequential block. */
export function skipSequential(reader: EntropyReader, dc: HuffmanCode, ac: HuffmanCode): void {
  skipDifference(reader, dc);
  let k = 1;
  while (k < COEFFICIENTS) {
    const code = reader.symbol(ac);
    const size = code & 15;
    const run = code >> 4;
    if (size === 0 && run < SIXTEEN_ZEROS) return;
    reader.skip(size);
    k += run + 1;
  }
  if (k > COEFFICIENTS) reader.isBroken = true;
}

/** Skips the difference of a DC coefficient (T.81 F.1.2.1). */
export function skipDifference(reader: EntropyReader, dc: HuffmanCode): void {
  const size = reader.symbol(dc);
  if (size > LARGEST) reader.isBroken = true;
  reader.skip(size & 15);
}

/** Which coefficients of a component are known to be nonzero: refining each takes one bit. */
export class NonZero {
  readonly #masks: Uint32Array;

  constructor(blocks: number) {
    this.#masks = new Uint32Array(2 * blocks);
  }

  has(block: number, k: number): boolean {
    return ((this.#masks[2 * block + (k >> 5)]! >>> (k & 31)) & 1) === 1;
  }

  add(block: number, k: number): void {
    this.#masks[2 * block + (k >> 5)]! |= 1 << (k & 31);
  }

  /** Number of known nonzero coefficients from `start` to `end`, both included. */
  count(block: number, start: number, end: number): number {
    const low = this.#masks[2 * block]! & from(start) & ~from(end + 1);
    const high = this.#masks[2 * block + 1]! & from(start - 32) & ~from(end - 31);
    return ones(low) + ones(high);
  }
}

/** Ones from bit k up; all of them below 0, none above 31. */
const from = (k: number): number => (k <= 0 ? -1 : k > 31 ? 0 : -1 << k);

/** Number of one bits in a 32-bit word, added up in pairs, fours and bytes. */
function ones(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

/** Skips the blocks of a progressive AC scan, in order (T.81 G.1.2.2 and G.1.2.3). */
export class AcScan {
  readonly #reader: EntropyReader;
  readonly #code: HuffmanCode;
  readonly #band: Band;
  readonly #nonZero: NonZero;
  /** Remaining blocks of the end-of-band run, including the current one. */
  #endRun = 0;

  constructor(reader: EntropyReader, code: HuffmanCode, band: Band, nonZero: NonZero) {
    this.#reader = reader;
    this.#code = code;
    this.#band = band;
    this.#nonZero = nonZero;
  }

  /** A restart ends an end-of-band run (T.81 G.1.2.2). */
  restart(): void {
    this.#endRun = 0;
  }

  skip(block: number): void {
    if (this.#band.high === 0) this.#first(block);
    else this.#refine(block);
  }

  #first(block: number): void {
    if (this.#endRun > 0) {
      this.#endRun--;
      return;
    }
    const { start, end } = this.#band;
    for (let k = start; k <= end; k++) {
      const code = this.#reader.symbol(this.#code);
      const size = code & 15;
      const run = code >> 4;
      if (size === 0 && run < SIXTEEN_ZEROS) {
        this.#endRun = this.#runOf(run) - 1;
        return;
      }
      k += run;
      if (size === 0) continue;
      if (k <= end) this.#nonZero.add(block, k);
      this.#reader.skip(size);
    }
  }

  #refine(block: number): void {
    const { end } = this.#band;
    let k = this.#band.start;
    // Known before this scan: the ones this scan adds are already passed.
    const hasKnown = this.#endRun === 0 && this.#nonZero.count(block, k, end) > 0;
    while (this.#endRun === 0 && k <= end) {
      const code = this.#reader.symbol(this.#code);
      const size = code & 15;
      let zeros = code >> 4;
      if (size === 0 && zeros < SIXTEEN_ZEROS) {
        this.#endRun = this.#runOf(zeros);
        break;
      }
      // Skips the sign of a coefficient that becomes nonzero, after `zeros` coefficients that stay zero.
      this.#reader.skip(size);
      if (!hasKnown) k += zeros;
      for (; hasKnown && k <= end; k++) {
        if (this.#nonZero.has(block, k)) this.#reader.skip(1);
        else if (zeros-- === 0) break;
      }
      if (size > 0 && k <= end) this.#nonZero.add(block, k);
      k++;
    }
    if (this.#endRun === 0) return;
    this.#reader.skip(this.#nonZero.count(block, k, end));
    this.#endRun--;
  }

  #runOf(exponent: number): number {
    return (1 << exponent) + this.#reader.take(exponent);
  }
}
