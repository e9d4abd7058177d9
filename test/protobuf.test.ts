import { expect, it } from 'vitest';
import { type Field, fieldsOf, ProtobufError, varints } from '../src/protobuf.ts';
import { fieldBytes, fieldNumber, joined, varint } from './fixtures/protobuf_writer.ts';
import { seededBelow } from './fixtures/random.ts';

it('reads the fields that were written, in their order', () => {
  const below = seededBelow(71);
  for (let run = 0; run < 200; run++) {
    const fields: Field[] = Array.from({ length: below(12) }, () => {
      const number = 1 + below(3000);
      return below(2) === 0
        ? { number, value: below(2 ** 31) * 2 ** below(20), payload: new Uint8Array() }
        : { number, value: 0, payload: new Uint8Array(below(300)).fill(below(256)) };
    });
    const message = joined(
      ...fields.map(({ number, value, payload }) =>
        payload.length > 0 ? fieldBytes(number, payload) : fieldNumber(number, value),
      ),
    );
    expect([...fieldsOf(message)]).toEqual(fields);
  }
});

it('reads packed numbers, and fields of fixed length', () => {
  expect(varints(joined(varint(1), varint(300), varint(2 ** 40)))).toEqual([1, 300, 2 ** 40]);
  const fixed = joined(varint(8 + 5), Uint8Array.of(1, 2, 3, 4), varint(16 + 1), new Uint8Array(8));
  expect([...fieldsOf(fixed)].map(({ number, payload }) => [number, payload.length])).toEqual([
    [1, 4],
    [2, 8],
  ]);
});

it('refuses what is cut off, groups, and numbers without an end', () => {
  const message = joined(fieldNumber(1, 1000), fieldBytes(2, new Uint8Array(9)));
  for (const length of [1, 2, 4, 5, message.length - 1]) {
    expect(() => [...fieldsOf(message.subarray(0, length))], String(length)).toThrow(ProtobufError);
  }
  expect(() => [...fieldsOf(Uint8Array.of(0x0b, 0x0c))]).toThrow(ProtobufError);
  expect(() => varints(new Uint8Array(20).fill(0xff))).toThrow(ProtobufError);
});
