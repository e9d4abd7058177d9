/** A header value of the form `value; name=text; name="quoted text"`: Content-Type, Content-Disposition. */
export interface HeaderValue {
  /** The part before the parameters, in lower case, e.g. `multipart/form-data`. */
  readonly value: string;
  /** Parameters by lower-case name, unquoted; the first of duplicates counts. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** `; name = token` or `; name = "quoted-string"` (RFC 9110 §5.6.6), one at a time. */
const PARAMETER = /\s*;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\[\s\S])*)"|([^\s;"]*))/y;

/** Parses a header value; parameters from the first malformed one on are left out. */
export function parseHeaderValue(text: string): HeaderValue {
  const end = text.indexOf(';');
  const parameters = new Map<string, string>();
  if (end !== -1) {
    PARAMETER.lastIndex = end;
    for (let match = PARAMETER.exec(text); match; match = PARAMETER.exec(text)) {
      const name = match[1]!.toLowerCase();
      const value = match[2]?.replace(/\\([\s\S])/g, '$1') ?? match[3]!;
      if (!parameters.has(name)) parameters.set(name, value);
    }
  }
  return { value: (end === -1 ? text : text.slice(0, end)).trim().toLowerCase(), parameters };
}
