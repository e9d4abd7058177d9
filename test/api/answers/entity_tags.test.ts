import { describe, expect, test } from 'vitest';
import { isKnownRepresentation } from '../../../src/api/answers/entity_tags.ts';

describe('If-None-Match', () => {
  test.each([
    ['"a"', '"a"'],
    ['W/"a"', '"a"'],
    ['"a"', 'W/"a"'],
    [' W/"a" ', 'W/"a"'],
    ['"b", "a"', '"a"'],
    ['"b",W/"a" ,"c"', '"a"'],
    [', , "a"', '"a"'],
    ['"b,c", "a"', '"a"'],
    ['"b,c"', '"b,c"'],
    ['""', '""'],
    ['*', '"a"'],
    [' * ', '"a"'],
    ['*', null],
    ['"a", nonsense', '"a"'],
  ])('%s knows %s', (header, tag) => {
    expect(isKnownRepresentation(header, tag)).toBe(true);
  });

  test.each([
    [null, '"a"'],
    ['', '"a"'],
    ['"b"', '"a"'],
    ['"A"', '"a"'],
    ['a', '"a"'],
    ['w/"a"', '"a"'],
    ['"b,"a""', '"a"'],
    ['"*"', '"a"'],
    ['*, "b"', '"a"'],
    ['nonsense, "a"', '"a"'],
    ['"a"', null],
  ])('%s does not know %s', (header, tag) => {
    expect(isKnownRepresentation(header, tag)).toBe(false);
  });

  test('takes no longer than the header is long', () => {
    expect(isKnownRepresentation(`${'"b", '.repeat(3000)}${' ,'.repeat(3000)}x`, '"a"')).toBe(false);
  });
});
