/** The boundary of a form: bchars of RFC 2046 section 5.1.1; a runtime's own begins with dashes. */
const BOUNDARY = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/;
/** One parameter of a media type (RFC 9110 section 5.6.6), from the end of the one before. */
const PARAMETER = /[\s;]*([^\s;=]+)=("[^"]*"|[^;]*)/y;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The first boundary of a `multipart/form-data` type; undefined if it has none that a form may have. */
export function boundaryOf(type: string): string | undefined {
  PARAMETER.lastIndex = type.indexOf(';');
  if (PARAMETER.lastIndex < 0) return undefined;
  for (let found = PARAMETER.exec(type); found; found = PARAMETER.exec(type)) {
    const [, name = '', value = ''] = found;
    if (name.toLowerCase() !== 'boundary') continue;
    const boundary = value.replace(/^"|"$/g, '').trimEnd();
    return BOUNDARY.test(boundary) ? boundary : undefined;
  }
  return undefined;
}

/**
 * Counts what a form consists of beside its contents while it arrives: runtimes parse all of it at once, and
 * take seconds for hundreds of thousands of parts or for megabytes of headers. Lines may end in a line feed
 * alone, as some runtimes allow.
 */
export class FormParts {
  /** Boundaries so far; the last one ends the form. */
  count = 0;
  /** Bytes of the headers of all parts so far. */
  headerBytes = 0;
  readonly #delimiter: Uint8Array;
  /** Bytes of the delimiter that the latest bytes are. The form's first needs no line before it. */
  #matched = 1;
  #isInHeaders = false;
  /** Bytes of the current line of headers. */
  #line = 0;

  /** @param boundary as `boundaryOf` has it */
  constructor(boundary: string) {
    this.#delimiter = new TextEncoder().encode(`\n--${boundary}`);
  }

  /** Takes the next bytes of the form. */
  add(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      at = this.#isInHeaders ? this.#passHeaders(chunk, at) : this.#passContent(chunk, at);
    }
  }

  /** @returns where headers begin, or the chunk's length */
  #passContent(chunk: Uint8Array, from: number): number {
    const delimiter = this.#delimiter;
    let matched = this.#matched;
    for (let at = from; at < chunk.length; at++) {
      if (matched === 0) {
        at = chunk.indexOf(LINE_FEED, at);
        if (at < 0) break;
        matched = 1;
      } else if (chunk[at] !== delimiter[matched]) {
        // No other byte of the delimiter is a line feed, so no match begins within another.
        matched = chunk[at] === LINE_FEED ? 1 : 0;
      } else if (++matched === delimiter.length) {
        this.#matched = 0;
        this.#isInHeaders = true;
        this.#line = 1;
        this.count++;
        return at + 1;
      }
    }
    this.#matched = matched;
    return chunk.length;
  }

  /** @returns where the content begins, behind an empty line, or the chunk's length */
  #passHeaders(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      this.headerBytes++;
      if (chunk[at] === LINE_FEED) {
        if (this.#line === 0) {
          this.#isInHeaders = false;
          // The empty line may be the one before the next delimiter.
          this.#matched = 1;
          return at + 1;
        }
        this.#line = 0;
      } else if (chunk[at] !== CARRIAGE_RETURN) this.#line++;
    }
    return chunk.length;
  }
}
