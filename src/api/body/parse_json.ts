import { duplicateNames } from './json_duplicates.ts';
import { COMMA, endOfString, nextToken, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from './json_grammar.ts';
import { MAX_JSON_VALUES, MAX_NESTING } from './limits.ts';

/** Parsed JSON, and what `JSON.parse` does not tell. */
export interface ParsedJson {
  readonly value: unknown;
  /** Dotted paths of member names that occur more than once in one object. */
  readonly duplicates: readonly string[];
}

/** How messages call a text, and the errors that carry them. */
interface JsonTexts {
  /** "The body". */
  readonly what: string;
  readonly fault: (message: string) => Error;
}

/**
 * Parses JSON of up to a megabyte, in some milliseconds whatever it holds: levels and values are counted
 * before anything is made of them.
 * @throws what `fault` makes of text that is not JSON, is nested deeper than MAX_NESTING or holds more than
 * MAX_JSON_VALUES values
 */
export function parseJson(text: string, { what, fault }: JsonTexts): ParsedJson {
  const { depth, values } = sizeOf(text);
  if (depth > MAX_NESTING) throw fault(`${what} is nested deeper than ${MAX_NESTING} levels.`);
  if (values > MAX_JSON_VALUES) throw fault(`${what} holds more than ${MAX_JSON_VALUES} values.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw fault(`${what} is not valid JSON: ${(error as SyntaxError).message}`);
  }
  return { value, duplicates: duplicateNames(text) };
}

/** Most tokens for each value that is counted: of `{"a":"b"}` the two brackets, the name and the text. */
const TOKENS_OF_VALUE = 4;

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
