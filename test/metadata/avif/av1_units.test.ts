import fc from 'fast-check';
import { expect, it } from 'vitest';
import { leb128, UnitType, unitAt } from '../../../src/metadata/avif/av1_units.ts';
import { Cursor } from '../../../src/metadata/cursor.ts';

const cursorOf = (...bytes: readonly number[]) => Cursor.unlimited(Uint8Array.from(bytes));

const encoded = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...encoded(Math.floor(value / 128))];

it('reads numbers of 7 bits a byte, and says where there is none', () => {
  fc.assert(
    fc.property(fc.nat({ max: 0xffff_ffff }), (value) => {
      const bytes = encoded(value);
      expect(leb128(cursorOf(9, ...bytes, 1), 1)).toEqual({ value, bytes: bytes.length });
    }),
    { seed: 4 },
  );
  const none = { value: Number.POSITIVE_INFINITY, bytes: 0 };
  expect(leb128(cursorOf(...new Array<number>(9).fill(0x80)), 0)).toEqual(none);
  expect(leb128(cursorOf(0x80), 0)).toEqual(none);
});

it('reads where a unit’s payload lies, and its layer', () => {
  const { frame } = UnitType;
  const sized = (frame << 3) | 2;
  expect(unitAt(cursorOf(7, sized, 3, 1, 2, 3, 9), 1)).toEqual({ type: frame, layer: 0, payload: 3, end: 6 });
  // With an extension: temporal_id 5, spatial_id 2.
  const extended = cursorOf(sized | 4, (5 << 5) | (2 << 3), 0x81, 0x01, 1);
  expect(unitAt(extended, 0)).toEqual({ type: frame, layer: 2, payload: 4, end: 4 + 129 });
});

it('takes a unit without a size to the end, and one whose size is no number beyond any', () => {
  const { tileGroup } = UnitType;
  expect(unitAt(cursorOf(tileGroup << 3, 1, 2), 0)).toMatchObject({ payload: 1, end: 3 });
  expect(unitAt(cursorOf((tileGroup << 3) | 4), 0)).toMatchObject({ payload: 2, end: 2 });
  expect(unitAt(cursorOf((tileGroup << 3) | 2, 0x80), 0).end).toBe(Number.POSITIVE_INFINITY);
});
