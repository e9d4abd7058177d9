import { bitOrder } from './row_source.ts';

/** Bits of fax data, the highest of each byte first; past the end come zeros. */
export class FaxBits {
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

  alignToByte(): void {
    this.#at = (this.#at + 7) & ~7;
  }

  /**
   * Skips end-of-line codes: eleven zeros or more (fill counts) and a one.
   * @returns how many came one after another
   */
  skipEndOfLine(): number {
    let codes = 0;
    while (this.peek(11) === 0 && !this.exhausted) {
      this.#at += 11;
      while (this.peek(1) === 0 && !this.exhausted) this.#at++;
      this.#at++;
      codes++;
    }
    return codes;
  }
}
