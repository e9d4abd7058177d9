import { describe, expect, it } from 'vitest';
import {
  ESCAPES,
  isWhiteSpace,
  kindOfValue,
  LITERAL,
  LITERAL_CHARACTER,
} from '../../../src/api/body/json_grammar.ts';

const accepts = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** All ASCII characters but DEL. */
const characters = Array.from({ length: 127 }, (_, code) => String.fromCharCode(code));

describe('tables of the JSON grammar, compared with JSON.parse', () => {
  it('have its white space and escapes', () => {
    for (const character of characters) {
      expect(isWhiteSpace(character.charCodeAt(0)), JSON.stringify(character)).toBe(
        accepts(`${character}1`) && !/[-\d]/.test(character),
      );
      if (character === 'u') continue;
      const escaped = `"\\${character}"`;
      expect(ESCAPES[character], JSON.stringify(character)).toBe(
        accepts(escaped) ? JSON.parse(escaped) : undefined,
      );
    }
  });

  it('have its numbers and literal names', () => {
    for (const text of '0 -0 00 1 10 -1 - +1 1. .1 0.1 1.0e5 1E+5 1e-5 1e 1e+ true True false null nul nulll 0x1 1_0 NaN'.split(
      ' ',
    )) {
      expect(LITERAL.test(text), text).toBe(accepts(text));
      if (accepts(text)) expect([...text].every((character) => LITERAL_CHARACTER.test(character))).toBe(true);
    }
  });

  it('name the kind of every value', () => {
    const kinds = {
      '[': 'an array',
      '{': 'an object',
      '"': 'a string',
      n: 'null',
      t: 'a boolean',
      f: 'a boolean',
      '7': 'a number',
      '-': 'a number',
      x: 'something else',
    };
    for (const [character, kind] of Object.entries(kinds))
      expect(kindOfValue(character.charCodeAt(0))).toBe(kind);
  });
});
