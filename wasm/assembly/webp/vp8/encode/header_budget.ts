/**
 * Keeps the first partition within its length field of 19 bits (RFC 6386 section 9.1): at 50 megapixels that
 * is 21 bits per macroblock. The cost of modes gets more weight as soon as the remaining macroblocks would
 * not fit at the current rate. Where even the shortest headers only just fit, subblock modes are ruled out.
 */
import { writtenBytes } from './bool_writer';
import { Encoder, Reading } from './state';

/** The most bits of a macroblock without subblock modes: segment 8, skipped 4, modes 4.4 and 4. */
const SHORT_BITS: i64 = 20;
/** The same with subblock modes: sixteen modes of up to nine nodes at 8 bits, and the others. */
const LONG_BITS: i64 = 1200;
/** Bits left over for the end. */
const RESERVE_BITS: i64 = 1024;

/** Factors by which pressure rises and falls, per row; and its maximum. */
const RISE: f64 = 1.15;
const FALL: f64 = 0.95;
const MOST_PRESSURE: f64 = 64;
/** Pressure rises only at rates above this part of what is affordable; below it, pressure falls again. */
const COMFORT: f64 = 0.97;

function bitsLeft(encoder: Encoder): i64 {
  const writer = encoder.modes;
  return (<i64>(writer.end - writer.start) - <i64>writtenBytes(writer)) * 8 - RESERVE_BITS;
}

/** Whether the macroblock may have subblock modes. */
export function headerFits(encoder: Encoder): bool {
  if (encoder.reading === Reading.Sampling) return true;
  return encoder.blocksLeft * SHORT_BITS + LONG_BITS < bitsLeft(encoder);
}

/** Call after each macroblock row that was written. */
export function adjustPressure(encoder: Encoder): void {
  if (encoder.reading === Reading.Sampling) return;
  const written = <i64>writtenBytes(encoder.modes) * 8;
  const rate = <f64>(written - encoder.headerBits) / <f64>encoder.columns;
  encoder.headerBits = written;
  if (encoder.blocksLeft <= 0) return;
  const affordable = (<f64>bitsLeft(encoder) / <f64>encoder.blocksLeft) * COMFORT;
  if (rate > affordable) encoder.pressure = min(encoder.pressure * RISE, MOST_PRESSURE);
  else encoder.pressure = max(encoder.pressure * FALL, 1);
}
