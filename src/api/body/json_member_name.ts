import { BACKSLASH } from '../../json/grammar.ts';

/** Longer names are cut off: no known member has one. */
const MAX_NAME_BYTES = 256;

const utf8 = new TextDecoder();

/** The latest member name of an object, read piece by piece. */
export class MemberName {
  readonly #bytes = new Uint8Array(MAX_NAME_BYTES);
  #length = 0;
  #text: string | undefined;

  begin(): void {
    this.#length = 0;
    this.#text = undefined;
  }

  /** Takes raw bytes of a name, between its quotes, escapes unresolved. */
  append(bytes: Uint8Array, from: number, to: number): void {
    const most = Math.min(to, from + MAX_NAME_BYTES - this.#length);
    for (let at = from; at < most; at++) this.#bytes[this.#length++] = bytes[at]!;
  }

  appendByte(byte: number): void {
    if (this.#length < MAX_NAME_BYTES) this.#bytes[this.#length++] = byte;
  }

  /** Takes a backslash and the character after it. */
  appendEscape(byte: number): void {
    this.appendByte(BACKSLASH);
    this.appendByte(byte);
  }

  /** The whole name, escapes resolved. */
  get text(): string {
    this.#text ??= this.#resolved();
    return this.#text;
  }

  is(name: string): boolean {
    return this.text === name;
  }

  #resolved(): string {
    const raw = utf8.decode(this.#bytes.subarray(0, this.#length));
    try {
      return JSON.parse(`"${raw}"`);
    } catch {
      // Cut off within an escape: kept raw, and equal to no known name.
      return raw;
    }
  }
}
