import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ESCAPED_BYTE,
  endOfString,
  HEX_VALUE,
  IS_LITERAL,
  isWhiteSpace,
  kindOfValue,
  LITERAL,
  nextToken,
} from '../../src/json/grammar.ts';

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
      expect(ESCAPED_BYTE[character.charCodeAt(0)], JSON.stringify(character)).toBe(
        accepts(escaped) ? JSON.parse(escaped).charCodeAt(0) : 0,
      );
      const unit = `"\\u004${character}"`;
      expect(HEX_VALUE[character.charCodeAt(0)], JSON.stringify(character)).toBe(
        accepts(unit) ? JSON.parse(unit).charCodeAt(0) - 0x40 : -1,
      );
    }
  });

  it('have its numbers and literal names', () => {
    for (const text of '0 -0 00 1 10 -1 - +1 1. .1 0.1 1.0e5 1E+5 1e-5 1e 1e+ true True false null nul nulll 0x1 1_0 NaN'.split(
      ' ',
    )) {
      expect(LITERAL.test(text), text).toBe(accepts(text));
      if (accepts(text))
        expect([...text].every((character) => IS_LITERAL[character.charCodeAt(0)] === 1)).toBe(true);
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

describe('texts are stepped through by the tokens that nest and divide', () => {
  const tokensOf = (json: string) => {
    const found: string[] = [];
    for (let at = nextToken(json, 0); at >= 0; at = nextToken(json, at + 1)) {
      const end = json[at] === '"' ? endOfString(json, at) : at;
      found.push(json.slice(at, end + 1));
      at = end;
    }
    return found;
  };

  it('strings are one token each, whatever they hold; the rest is passed over', () => {
    const text = fc.string({ unit: fc.constantFrom('"', '\\', '{', ']', ',', 'a', '\n', '€') });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), (texts) => {
        const strings = texts.map((each) => JSON.stringify(each));
        const json = `[ ${strings.join(' ,\n')} , -1.5e7 , {} ]`;
        expect(tokensOf(json)).toEqual(['[', ...strings.flatMap((each) => [each, ',']), ',', '{', '}', ']']);
      }),
      { seed: 21, numRuns: 300 },
    );
  });

  it('a string without an end lasts to the end', () => {
    for (const open of ['"', '"a', '"\\"', `"${'\\'.repeat(7)}"`]) expect(tokensOf(open)).toEqual([open]);
  });
});
