/**
 * The boolean entropy encoder (RFC 6386 section 7.3). Bytes leave it late: a carry can run through a series
 * of 255s up to the last other byte. So that byte waits, together with the number of 255s after it.
 */
import { emit } from '../../../host';
import { BoolWriter } from './state';

/** Bits are moved out once there are this many: few rounds, and still room in 64 bits. */
const BATCH: i32 = 40;

export function startWriter(writer: BoolWriter, start: usize, end: usize, streamed: bool): void {
  writer.low = 0;
  writer.range = 255;
  writer.count = 0;
  writer.pending = -1;
  writer.run = 0;
  writer.start = start;
  writer.at = start;
  writer.end = end;
  writer.streamed = streamed;
}

/** @param probability of 0, in 256ths */
// @inline
export function putBit(writer: BoolWriter, bit: i32, probability: i32): void {
  const split = 1 + (((writer.range - 1) * probability) >> 8);
  const range = bit ? writer.range - split : split;
  const shift = clz<i32>(range) - 24;
  writer.low = (writer.low + (bit ? <u64>split : 0)) << (<u64>shift);
  writer.range = range << shift;
  writer.count += shift;
  if (writer.count >= BATCH) moveOut(writer);
}

/** Writes an unsigned number of `bits` bits (L(n) in RFC 6386). */
export function putLiteral(writer: BoolWriter, value: i32, bits: i32): void {
  while (bits-- > 0) putBit(writer, (value >> bits) & 1, 128);
}

/** Writes a flag and, if the value is not 0, its bits and its sign. */
export function putOptionalSigned(writer: BoolWriter, value: i32, bits: i32): void {
  putLiteral(writer, <i32>(value !== 0), 1);
  if (value === 0) return;
  putLiteral(writer, abs(value), bits);
  putLiteral(writer, <i32>(value < 0), 1);
}

/** Moves whole bytes out. */
function moveOut(writer: BoolWriter): void {
  let low = writer.low;
  let count = writer.count;
  while (count >= 8) {
    const byte = <i32>(low >> <u64>count);
    low &= ((<u64>1) << (<u64>count)) - 1;
    count -= 8;
    if ((byte & 255) === 255 && byte < 256) {
      writer.run++;
      continue;
    }
    const carry = byte >> 8;
    if (writer.pending >= 0) putByte(writer, writer.pending + carry);
    for (; writer.run > 0; writer.run--) putByte(writer, carry ? 0 : 255);
    // After a carry, a 255 here is final: no second carry can follow.
    writer.pending = byte & 255;
  }
  writer.low = low;
  writer.count = count;
}

function putByte(writer: BoolWriter, byte: i32): void {
  if (writer.at === writer.end) {
    if (!writer.streamed) return;
    emit(writer.start, writer.at - writer.start);
    writer.at = writer.start;
  }
  store<u8>(writer.at, byte);
  writer.at++;
}

/** Writes what is left. */
export function finishWriter(writer: BoolWriter): void {
  moveOut(writer);
  writer.low <<= <u64>(16 - writer.count);
  writer.count = 16;
  moveOut(writer);
  if (writer.pending >= 0) putByte(writer, writer.pending);
  for (; writer.run > 0; writer.run--) putByte(writer, 255);
  if (writer.streamed && writer.at > writer.start) {
    emit(writer.start, writer.at - writer.start);
    writer.at = writer.start;
  }
}

/** Bytes written, or waiting to be written. */
export function writtenBytes(writer: BoolWriter): i32 {
  return <i32>(writer.at - writer.start) + writer.run + (writer.count >> 3) + 2;
}
