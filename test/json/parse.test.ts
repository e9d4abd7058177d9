import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/json/parse.ts';

const texts = { what: 'The body', fault: (message: string) => new RangeError(message) };
const parse = (text: string) => parseJson(text, texts);

describe('parseJson', () => {
  it('gives the value and the names that stand twice', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(parse(json)).toEqual({ value: JSON.parse(json), duplicates: [] });
      }),
      { seed: 18, numRuns: 300 },
    );
    expect(parse('{"a":{"b":1,"b":2}}').duplicates).toEqual(['a.b']);
  });

  it('refuses what is no JSON', () => {
    for (const text of ['', '{', ']', '"', '"\\', '{"a":1}}'])
      expect(() => parse(text)).toThrow(/^The body is not valid JSON: /);
  });

  it('refuses what is too deep or holds too much, and no JSON that is counted for a while', () => {
    expect(() => parse('['.repeat(500_000))).toThrow('The body is nested deeper than 32 levels.');
    expect(() => parse(`[${'1,'.repeat(60_000)}1]`)).toThrow('The body holds more than 20000 values.');
    for (const text of [']'.repeat(900_000), '""'.repeat(400_000)])
      expect(() => parse(text)).toThrow(/^The body is not valid JSON: /);
  });
});
