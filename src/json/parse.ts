import { duplicateNames } from './duplicates.ts';
import { sizeFault } from './size.ts';

/** Parsed JSON, and what `JSON.parse` does not report. */
export interface ParsedJson {
  readonly value: unknown;
  /** Dotted paths of member names that occur more than once in one object. */
  readonly duplicates: readonly string[];
}

/** Why a text is not parsed: it is more than is read, or no JSON. */
export type JsonFault = 'size' | 'syntax';

/** What error messages call the text, and the errors that carry them. */
interface JsonTexts {
  /** "The body". */
  readonly what: string;
  readonly fault: (message: string, why: JsonFault) => Error;
}

/**
 * Parses JSON of up to a megabyte, in a few milliseconds whatever it contains: levels and values are counted
 * before any value is created.
 * @throws what `fault` makes of text that is not JSON, is nested deeper than MAX_NESTING or holds more than
 * MAX_JSON_VALUES values
 */
export function parseJson(text: string, { what, fault }: JsonTexts): ParsedJson {
  const tooMuch = sizeFault(text);
  if (tooMuch) throw fault(`${what} ${tooMuch}.`, 'size');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw fault(`${what} is not valid JSON: ${(error as SyntaxError).message}`, 'syntax');
  }
  return { value, duplicates: duplicateNames(text) };
}
