import { expect, it } from 'vitest';
import { MAX_JSON_VALUES, MAX_NESTING, sizeFault } from '../../src/json/size.ts';

it('refuses nesting past the limit before anything is made of it', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  expect(sizeFault(nested(MAX_NESTING))).toBeUndefined();
  for (const text of [nested(MAX_NESTING + 1), nested(500_000), '{"a":'.repeat(200_000)])
    expect(sizeFault(text)).toBe(`is nested deeper than ${MAX_NESTING} levels`);
});

it('refuses more values than anybody has use for', () => {
  const items = (count: number) => `[${'1,'.repeat(count - 1)}1]`;
  expect(sizeFault(items(MAX_JSON_VALUES - 1))).toBeUndefined();
  const members = Array.from({ length: 60_000 }, (_, i) => `"${i}":1`);
  for (const text of [items(MAX_JSON_VALUES + 1), `{${members}}`, `[${'{},'.repeat(300_000)}1]`])
    expect(sizeFault(text)).toBe(`holds more than ${MAX_JSON_VALUES} values`);
  expect(sizeFault(`["${',[{'.repeat(100_000)}"]`)).toBeUndefined();
  // As many tokens as values can have.
  const one = '"a":[]';
  expect(sizeFault(`[${`{${one}},`.repeat(MAX_JSON_VALUES / 3 - 1)}1]`)).toBeUndefined();
});
