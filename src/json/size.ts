import { COMMA, endOfString, nextToken, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from './grammar.ts';

/** Deepest nesting of objects and arrays in JSON; complete ops need 4. */
export const MAX_NESTING = 32;

/**
 * Most values (members, items) in the JSON beside an image: complete ops with 200 regions have about 1,200.
 * What is done for each value is so bounded, too.
 */
export const MAX_JSON_VALUES = 20_000;

/** Most tokens for each value that is counted: of `{"a":"b"}` the two brackets, the name and the text. */
const TOKENS_OF_VALUE = 4;

/**
 * Why a text of JSON is not to be parsed, such as "holds more than 20000 values"; undefined where it may be.
 * @param text its characters that are not ASCII may be bytes
 */
export function sizeFault(text: string): string | undefined {
  const { depth, values } = sizeOf(text);
  if (depth > MAX_NESTING) return `is nested deeper than ${MAX_NESTING} levels`;
  return values > MAX_JSON_VALUES ? `holds more than ${MAX_JSON_VALUES} values` : undefined;
}

/**
 * Levels and values of a text, counted no further than past a limit. Of no JSON it says something, too: what
 * has more tokens than its values may have is none, or has too many values.
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
