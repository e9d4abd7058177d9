/** The tokens of JSON: RFC 8259, as tables. */

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_ARRAY = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_ARRAY = 0x5d;
export const LETTER_U = 0x75;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

/** UTF-8's byte order mark, which RFC 8259 §8.1 lets a reader ignore. */
export const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** The states between tokens, each with what may come next, in words. */
export const structural = {
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

export type Structural = keyof typeof structural;

/** RFC 8259 §3 and §6: the literal names, and numbers. */
export const LITERAL = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/** What a literal name or number, well formed or not, is made of. */
export const LITERAL_CHARACTER = /[\w+.-]/;

/** RFC 8259 §7: what may follow a backslash, `u` apart, and what it stands for. */
export const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** RFC 8259 §2. */
export const isWhiteSpace = (byte: number) =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** What kind of value begins with this byte, in words. */
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
