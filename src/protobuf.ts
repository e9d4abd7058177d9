/** Wire types of protobuf (protobuf.dev, Encoding). */
const VARINT = 0;
const LENGTH_DELIMITED = 2;
/** Bytes of the payload, for wire types that fix its length. */
const FIXED_BYTES: Readonly<Record<number, number>> = { 1: 8, 5: 4 };

/** A field of a message: `value` of a varint, else the payload. */
export interface Field {
  readonly number: number;
  readonly value: number;
  readonly payload: Uint8Array;
}

/** The message ends within a field, or contains something that is not a field. */
export class ProtobufError extends Error {}

const NOTHING = new Uint8Array();

/**
 * The fields of a message, in their order; nothing is copied.
 * @throws ProtobufError where the message is cut off or has a group
 */
export function* fieldsOf(message: Uint8Array): Generator<Field> {
  let at = 0;
  while (at < message.length) {
    const key = varintAt(message, at);
    at = key.end;
    const type = key.value & 7;
    const number = Math.floor(key.value / 8);
    if (type === VARINT) {
      const { value, end } = varintAt(message, at);
      at = end;
      yield { number, value, payload: NOTHING };
      continue;
    }
    let length = FIXED_BYTES[type] ?? Number.POSITIVE_INFINITY;
    if (type === LENGTH_DELIMITED) {
      const header = varintAt(message, at);
      length = header.value;
      at = header.end;
    }
    if (at + length > message.length) throw cutOff();
    yield { number, value: 0, payload: message.subarray(at, at + length) };
    at += length;
  }
}

/** The numbers of a packed repeated field. @throws ProtobufError where it is cut off */
export function varints(bytes: Uint8Array): number[] {
  const values: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { value, end } = varintAt(bytes, at);
    values.push(value);
    at = end;
  }
  return values;
}

const cutOff = () => new ProtobufError('Expected a whole protobuf message but received one that is cut off');

function varintAt(bytes: Uint8Array, from: number): { readonly value: number; readonly end: number } {
  let value = 0;
  // A varint of 64 bits has up to ten bytes; lengths and keys of messages under 4 GB fit into the first five.
  for (let index = 0; index < 10; index++) {
    const byte = bytes[from + index];
    if (byte === undefined) break;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, end: from + index + 1 };
  }
  throw cutOff();
}
