/** Writes bits, lowest first, and hands them to the host. */
import { emit } from '../../../host';
import { AlphaEncoder } from './state';

/** Bytes of a piece of output that is handed over. */
export const OUTPUT_BYTES: usize = 32768;
/** One more word may be written past them. */
export const OUTPUT_SLACK: usize = 8;

/** Writes a value of `count` bits, at most 32. Its higher bits must be 0. */
export function putBits(encoder: AlphaEncoder, value: u32, count: u32): void {
  encoder.bitCount += count;
  if (encoder.counting) return;
  encoder.acc |= (<u64>value) << encoder.accBits;
  encoder.accBits += count;
  if (encoder.accBits < 32) return;
  store<u32>(encoder.out, <u32>encoder.acc);
  encoder.out += 4;
  encoder.acc >>= 32;
  encoder.accBits -= 32;
  if (encoder.out - encoder.output >= OUTPUT_BYTES) handOver(encoder);
}

/** Writes what is left, with the last byte filled up with zeros. */
export function finishBits(encoder: AlphaEncoder): void {
  store<u32>(encoder.out, <u32>encoder.acc);
  encoder.out += (encoder.accBits + 7) >> 3;
  handOver(encoder);
}

function handOver(encoder: AlphaEncoder): void {
  emit(encoder.output, encoder.out - encoder.output);
  encoder.out = encoder.output;
}
