import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BASE_READS, Cursor, READS_PER_BYTE } from '../../src/metadata/cursor.ts';

const text = (value: string) => Uint8Array.from(value, (character) => character.charCodeAt(0));

describe('Cursor', () => {
  const bytes = Uint8Array.of(0x01, 0x02, 0x83, 0x84, 0xff, 0xfe, 0xfd, 0xfc, 0x09);

  it('reads both byte orders like DataView', () => {
    const view = new DataView(bytes.buffer);
    const cursor = new Cursor(bytes);
    for (const little of [false, true]) {
      for (let at = 0; at <= 5; at++) {
        expect(cursor.u16(at, little)).toBe(view.getUint16(at, little));
        expect(cursor.u32(at, little)).toBe(view.getUint32(at, little));
      }
      expect(cursor.u64(0, little)).toBe(Number(view.getBigUint64(0, little)));
    }
    expect(cursor.u24(1)).toBe(0x028384);
    expect(cursor.u24(1, true)).toBe(0x848302);
    expect([0, 1, 2, 4, 8, 3].map((width) => cursor.unsigned(0, width))).toEqual([
      0,
      1,
      0x0102,
      0x01028384,
      Number(view.getBigUint64(0)),
      -1,
    ]);
  });

  it('gives -1 for whatever leaves the window', () => {
    const cursor = new Cursor(bytes);
    for (const at of [-1, 9, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect([cursor.u8(at), cursor.u16(at), cursor.u24(at), cursor.u32(at), cursor.u64(at)]).toEqual([
        -1, -1, -1, -1, -1,
      ]);
      expect(cursor.matches(at, 'x')).toBe(false);
      expect(cursor.find(1, at)).toBe(-1);
      expect(cursor.span(at, at + 1)).toBeNull();
    }
    expect([cursor.u16(8), cursor.u24(7), cursor.u32(6), cursor.u64(2)]).toEqual([-1, -1, -1, -1]);
  });

  it('narrows windows to what holds them, and knows their place', () => {
    const window = new Cursor(bytes).window(2, 5).window(1, 99);
    expect([window.length, window.origin, window.u8(0), window.u8(2)]).toEqual([2, 3, 0x84, -1]);
    expect(new Cursor(bytes).window(20, 10).length).toBe(0);
  });

  it('finds what indexOf finds, and no further than told', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(97, 98, 99), { maxLength: 80 }),
        fc.constantFrom('a', 'b', 'ab', 'abc', 'cca'),
        fc.nat(90),
        fc.nat(90),
        (values, needle, from, to) => {
          const data = Uint8Array.from(values);
          const end = Math.min(to, data.length);
          const expected = String.fromCharCode(...data.subarray(0, end)).indexOf(needle, from);
          const found = new Cursor(data).findText(needle, from, to);
          expect(found).toBe(from < end ? expected : -1);
          if (needle.length === 1) expect(new Cursor(data).find(needle.charCodeAt(0), from, to)).toBe(found);
        },
      ),
      { seed: 3 },
    );
  });

  it('counts the bytes that a search passes', () => {
    const cursor = new Cursor(text('aaaaaaaaaab'));
    cursor.find(0x62, 0);
    expect(cursor.meter.reads).toBe(11);
    cursor.findText('zz', 1);
    expect(cursor.meter.reads).toBe(11 + 9);
  });

  it('stops reading when the allowance is used up', () => {
    const cursor = new Cursor(Uint8Array.of(7));
    const allowance = BASE_READS + READS_PER_BYTE;
    for (let n = 0; n < allowance; n++) expect(cursor.u8(0)).toBe(7);
    expect(cursor.meter.spent).toBe(false);
    expect(cursor.u8(0)).toBe(-1);
    expect(cursor.meter.spent).toBe(true);
    expect(cursor.window(0, 1).u8(0)).toBe(-1);
    expect(cursor.find(7, 0)).toBe(-1);
  });
});
