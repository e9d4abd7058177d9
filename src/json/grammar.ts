/** The tokens of JSON (RFC 8259) as tables. */

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_ARRAY = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_ARRAY = 0x5d;
export const LETTER_U = 0x75;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

/** UTF-8's byte order mark, which readers may ignore (RFC 8259 §8.1). */
export const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** The parser's states between tokens, each with the expected token for messages. */
export const expectedTokens = {
  start: 'a JSON object with "image"',
  value: 'a value',
  valueOrEnd: 'a value or "]"',
  key: 'a member name in double quotes',
  keyOrEnd: 'a member name in double quotes or "}"',
  colon: '":"',
  commaOrArrayEnd: '"," or "]"',
  commaOrObjectEnd: '"," or "}"',
  end: 'the end of the body',
} as const;

export type StructuralState = keyof typeof expectedTokens;

/** Literal names and numbers (RFC 8259 §3 and §6). */
export const LITERAL = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/** The characters after a backslash, except `u`, and their meanings (RFC 8259 §7). */
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** By byte: 1 for characters that may occur in a literal name or a number, valid or not. */
export const IS_LITERAL = bytesWhere((character) => (/[\w+.-]/.test(character) ? 1 : 0));

/** By byte: the value of a hexadecimal digit, -1 for anything else. */
export const HEX_VALUE = bytesWhere((character) =>
  /[\da-f]/i.test(character) ? Number.parseInt(character, 16) : -1,
);

/** By byte after a backslash: the byte it stands for (RFC 8259 §7); 0 for none, and for `u`. */
export const ESCAPED_BYTE = bytesWhere((character) => ESCAPES[character]?.charCodeAt(0) ?? 0);

/** White space of JSON (RFC 8259 §2). */
export const isWhiteSpace = (byte: number) =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** A string, or a token of arrays and objects. */
const STRUCTURE = /["{}[\],]/g;

/**
 * The offset of the next string, bracket, brace or comma at or after `from`; -1 if there is none. The runtime
 * itself skips everything between: a megabyte of white space or digits takes a millisecond.
 */
export function nextToken(json: string, from: number): number {
  STRUCTURE.lastIndex = from;
  return STRUCTURE.test(json) ? STRUCTURE.lastIndex - 1 : -1;
}

/** The index of the closing quote of the string at `start`; the text's length if there is none. */
export function endOfString(json: string, start: number): number {
  for (let at = start; ; ) {
    at = json.indexOf('"', at + 1);
    if (at < 0) return json.length;
    let before = at - 1;
    while (json.charCodeAt(before) === BACKSLASH) before--;
    // An even number of backslashes escape each other.
    if ((at - before) % 2 === 1) return at;
  }
}

/** The kind of value that begins with this byte, for messages. */
export function kindOfValue(byte: number): string {
  const kinds: Readonly<Record<string, string>> = {
    '[': 'an array',
    '{': 'an object',
    '"': 'a string',
    n: 'null',
  };
  const character = String.fromCharCode(byte);
  if (/[\d-]/.test(character)) return 'a number';
  if (/[tf]/.test(character)) return 'a boolean';
  return kinds[character] ?? 'something else';
}

/** A table of a function's results for each byte, taken as a character. */
function bytesWhere(meaning: (character: string) => number): Int16Array {
  return Int16Array.from({ length: 256 }, (_, byte) => meaning(String.fromCharCode(byte)));
}
