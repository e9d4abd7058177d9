import { expect, it } from 'vitest';
import { ascii, box, fullBox, u16, u32 } from '../../src/metadata/box_writer.ts';
import { boxAt } from '../../src/metadata/boxes.ts';
import { Cursor } from '../../src/metadata/cursor.ts';

it('writes numbers as they are read', () => {
  for (const value of [0, 1, 0x80, 0xff, 0x1234, 0xffff]) {
    expect(Cursor.unlimited(Uint8Array.from(u16(value))).u16(0)).toBe(value);
    const large = value * 0x10001;
    expect(Cursor.unlimited(Uint8Array.from(u32(large))).u32(0)).toBe(large);
  }
});

it('writes boxes as they are read, one inside the other', () => {
  const inside = fullBox('pitm', 2, u16(7));
  const bytes = Uint8Array.from([...box('free'), ...box('meta', ascii('ab'), inside)]);
  const cursor = Cursor.unlimited(bytes);
  expect(boxAt(cursor, 0, bytes.length)).toMatchObject({ type: 'free', end: 8 });
  expect(boxAt(cursor, 8, bytes.length)).toMatchObject({ type: 'meta', end: bytes.length });
  const at = bytes.length - inside.length;
  expect(boxAt(cursor, at, bytes.length)).toMatchObject({ type: 'pitm', end: bytes.length });
  expect([...bytes.subarray(at + 8)]).toEqual([2, 0, 0, 0, 0, 7]);
});
