import { COMMA, endOfString, nextToken, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from './grammar.ts';

/** Deepest nesting of objects and arrays in JSON; complete ops need 4. */
export const MAX_NESTING = 32;

/**
 * Most values (members, items) in JSON, not counting an image: complete ops with 200 regions have about
 * 1,200. This also bounds the work per value.
 */
export const MAX_JSON_VALUES = 20_000;

/** Most tokens per counted value: in `{"a":"b"}` the two braces, the name and the text. */
const TOKENS_OF_VALUE = 4;

/**
 * Why a JSON text must not be parsed, such as "holds more than 20000 values"; undefined if it may be.
 * @param text its non-ASCII characters may be single bytes of UTF-8
 */
export function sizeFault(text: string): string | undefined {
  const { depth, values } = sizeOf(text);
  if (depth > MAX_NESTING) return `is nested deeper than ${MAX_NESTING} levels`;
  return values > MAX_JSON_VALUES ? `holds more than ${MAX_JSON_VALUES} values` : undefined;
}

/**
 * Nesting depth and number of values of a text, counted only up to just past a limit. Also works for invalid
 * JSON: text with more tokens than its values can have is invalid or has too many values.
 */
function sizeOf(text: string): { depth: number; values: number } {
  let open = 0;
  let depth = 0;
  let values = 1;
  let tokens = 0;
  for (let at = nextToken(text, 0); at >= 0; at = nextToken(text, at + 1)) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA) values++;
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      values++;
      depth = Math.max(depth, ++open);
    } else open--;
    if (depth > MAX_NESTING || values > MAX_JSON_VALUES) break;
    if (++tokens > MAX_JSON_VALUES * TOKENS_OF_VALUE) break;
  }
  return { depth, values };
}
