import { describe, expect, it } from 'vitest';
import {
  checkOps,
  imageTooLarge,
  opsTooLarge,
  parseOps,
  quoted,
  remoteImage,
} from '../../../src/api/body/body_errors.ts';
import { MAX_NESTING } from '../../../src/api/body/limits.ts';

describe('refusals', () => {
  it('quotes names, shortened, a handful at most', () => {
    expect(quoted(['a"b', 'x'.repeat(99)])).toBe(`"a\\"b", "${'x'.repeat(40)}"`);
    expect(quoted([...'abcdefg'])).toBe('"a", "b", "c", "d", "e" and 2 more');
  });

  it('have the statuses of the table', () => {
    expect([imageTooLarge().status, opsTooLarge('It').status, remoteImage('It').status]).toEqual([
      413, 413, 400,
    ]);
    expect(imageTooLarge(99).message).toContain('declares 99 bytes');
  });

  it('reads ops from text: JSON, or nothing', () => {
    expect(parseOps(' {"a":[1]} ')).toEqual({ a: [1] });
    expect(parseOps('"text"')).toBe('text');
    expect(parseOps(' \n')).toBe(undefined);
    expect(() => parseOps('{"a":}')).toThrow(/^ops is not valid JSON: /);
  });

  it('finds image_url at any depth', () => {
    for (const ops of [
      '{"image_url":1}',
      '[{"a":{"image_url":null}}]',
      '{"a":[[{"b":1,"image_url":"x"}]]}',
    ]) {
      expect(() => parseOps(ops)).toThrow('never fetched');
    }
    for (const fine of [undefined, null, 1, 'image_url', ['image_url'], { a: 'image_url' }]) checkOps(fine);
  });

  it('bounds the nesting without recursion', () => {
    expect(() => parseOps('['.repeat(MAX_NESTING) + ']'.repeat(MAX_NESTING))).not.toThrow();
    expect(() => parseOps('['.repeat(MAX_NESTING + 2) + ']'.repeat(MAX_NESTING + 2))).toThrow(
      'nested deeper',
    );
    expect(() => parseOps(`${'[{"a":'.repeat(50_000)}1${'}]'.repeat(50_000)}`)).toThrow('nested deeper');
  });
});
