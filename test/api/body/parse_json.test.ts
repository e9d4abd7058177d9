import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_JSON_VALUES, MAX_NESTING } from '../../../src/api/body/limits.ts';
import { parseJson } from '../../../src/api/body/parse_json.ts';

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

  it('refuses nesting past the limit before anything is made of it', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(() => parse(nested(MAX_NESTING))).not.toThrow();
    for (const text of [nested(MAX_NESTING + 1), nested(500_000), '{"a":'.repeat(200_000)])
      expect(() => parse(text)).toThrow(`nested deeper than ${MAX_NESTING} levels`);
  });

  it('refuses more values than anybody has use for', () => {
    const items = (count: number) => `[${'1,'.repeat(count - 1)}1]`;
    expect(() => parse(items(MAX_JSON_VALUES - 1))).not.toThrow();
    const members = Array.from({ length: 60_000 }, (_, i) => `"${i}":1`);
    for (const text of [items(MAX_JSON_VALUES + 1), `{${members}}`, `[${'{},'.repeat(300_000)}1]`])
      expect(() => parse(text)).toThrow(`more than ${MAX_JSON_VALUES} values`);
    expect(parse(`["${',[{'.repeat(100_000)}"]`).value).toHaveLength(1);
    // No name, no comma: it is not counted to its end, and no JSON.
    for (const text of [']'.repeat(900_000), '""'.repeat(400_000)])
      expect(() => parse(text)).toThrow(/^The body is not valid JSON: /);
    // As many tokens as values can have.
    const one = '"a":[]';
    expect(() => parse(`[${`{${one}},`.repeat(MAX_JSON_VALUES / 3 - 1)}1]`)).not.toThrow();
  });
});
