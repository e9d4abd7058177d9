import { BACKSLASH } from '../../json/grammar.ts';

/** Longer names are cut: no known member has one. */
const MAX_NAME_BYTES = 256;

const utf8 = new TextDecoder();

/** The name of a member as it is read, piece by piece: the latest one of its object. */
export class MemberName {
  readonly #bytes = new Uint8Array(MAX_NAME_BYTES);
  #length = 0;
  #text: string | undefined;

  begin(): void {
    this.#length = 0;
    this.#text = undefined;
  }

  /** Takes bytes of a name as they are between its quotes, escapes unresolved. */
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
      // Cut within an escape: kept as it is, and known to nobody.
      return raw;
    }
  }
}
