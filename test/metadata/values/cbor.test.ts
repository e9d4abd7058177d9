import { describe, expect, it } from 'vitest';
import { Cursor } from '../../../src/metadata/cursor.ts';
import { resultOf } from '../../../src/metadata/scan_as.ts';
import { decodeCbor } from '../../../src/metadata/values/cbor.ts';
import { bytes, type Part } from '../../fixtures/bytes.ts';
import { cbor } from '../../fixtures/metadata/value_files.ts';

const decode = (...parts: Part[]) => resultOf(decodeCbor(new Cursor(bytes(...parts))));
const plain = (value: unknown): unknown => {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, each]) => [key, plain(each)]));
  return Array.isArray(value) ? value.map(plain) : value;
};

describe('decodeCbor', () => {
  it.each([
    ['a text', 'abc'],
    ['numbers', [0, 23, 24, 65_536, -1, -500]],
    ['a map of lists', { a: [true, false, null], b: { c: 'd' } }],
  ])('decodes what was written: %s', (_, value) => {
    expect(plain(decode(cbor(value)))).toEqual(value);
  });

  // RFC 8949 appendix A
  it.each<[string, Part, unknown]>([
    ['one byte of argument', [0x18, 0x64], 100],
    ['two bytes', [0x19, 0x03, 0xe8], 1000],
    ['eight bytes', [0x1b, 0, 0, 0, 0xe8, 0xd4, 0xa5, 0x10, 0], 1_000_000_000_000],
    ['a tagged date', [0xc0, 0x64, '2013'], '2013'],
    ['a byte string', [0x44, 1, 2, 3, 4], null],
    ['an indefinite text', [0x7f, 0x65, 'strea', 0x64, 'ming', 0xff], 'streaming'],
    ['an indefinite list', [0x9f, 1, 0x82, 2, 3, 0xff], [1, [2, 3]]],
    ['an indefinite map', [0xbf, 0x61, 'a', 1, 0xff], { a: 1 }],
    ['a float', [0xf9, 0x3c, 0], null],
  ])('decodes %s', (_, part, value) => {
    expect(plain(decode(part))).toEqual(value);
  });

  it.each<[string, Part]>([
    ['nothing', []],
    ['a text beyond the end', [0x78, 200, 'abc']],
    ['a reserved length', [0x1c]],
    ['a length that breaks off', [0x1a, 0]],
  ])('gives null for %s', (_, part) => {
    expect(decode(part) ?? null).toSatisfy((value) => value === null || Number.isNaN(value));
  });

  it('is bounded in depth and in items', () => {
    expect(plain(decode(new Uint8Array(200).fill(0x81)))).toBeTruthy();
    const list = decode(0x9f, new Uint8Array(100_000)) as unknown[];
    expect(list.length).toBeLessThan(20_000);
    // a list said to have four billion items
    expect((decode(0x9a, 0xff, 0xff, 0xff, 0xff, 1, 2) as unknown[]).length).toBe(2);
  });
});
