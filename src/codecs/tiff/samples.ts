import type { Page, SampleRange } from './page.ts';
import { srgbEncoder } from './srgb.ts';

/**
 * Reads `count` samples from the start of a stored row and writes each as 8 or 16 bits to target[start],
 * target[start + step] …
 */
export type Unpack<Samples = Uint8Array> = (
  row: Uint8Array,
  count: number,
  target: Samples,
  start: number,
  step: number,
) => void;

/**
 * How a page's samples become 8 bits:
 * - more than 8 bits: the highest 8, as in libvips;
 * - fewer: stretched to the full range, rounded; palette indices stay as they are;
 * - where the file says which values are black and white (`Page.range`), what lies between is stretched;
 * - signed integers: offset by half their range, so that the smallest is 0 and the largest 255. The signed a*
 *   and b* of CIE L*a*b* stay in two's complement;
 * - real numbers: they are linear light, 0 black and 1 white, and are coded by the sRGB curve, as in libvips
 *   and Photoshop. With an ICC profile they are codes already; in CMYK they are amounts of ink, 0 to 1
 *   stretched to 0 to 255. Values outside are clipped, and NaN is 0.
 */
export function unpackSamples(page: Page): Unpack {
  const { bits, littleEndian, format, range, profiled, colour } = page;
  const isDirect = colour.kind === 'grey' || colour.kind === 'whiteIsZero' || colour.kind === 'rgb';
  if (format === 'float') {
    const isLight = !profiled && colour.kind !== 'cmyk';
    const code = isLight ? srgbEncoder() : stretch;
    return unpackNumbers(realReader(bits / 8, littleEndian), bits / 8, isDirect ? ranged(range, code) : code);
  }
  if (range && isDirect) {
    const read = integerReader(bits / 8, littleEndian, format === 'signed');
    return unpackNumbers(read, bits / 8, ranged(range, stretch));
  }
  const flip = format === 'signed' && page.colour.kind !== 'lab' ? 0x80 : 0;
  if (bits % 8 === 0) return unpackBytes(bits / 8, littleEndian, flip);
  if (bits > 8) return unpackWideBits(bits, flip);
  const values = stretched(bits, page.colour.kind === 'palette', flip);
  return 8 % bits === 0 ? unpackPackedBits(bits, values) : unpackBits(bits, values);
}

/** The 8-bit value for each value of `bits` bits. */
function stretched(bits: number, asIs: boolean, flip: number): Uint8Array {
  const most = (1 << bits) - 1;
  // Offsetting by half the range flips the sign bit.
  const sign = flip === 0 ? 0 : 1 << (bits - 1);
  return Uint8Array.from({ length: most + 1 }, (_, value) =>
    asIs ? value : Math.round(((value ^ sign) * 255) / most),
  );
}

/** Whole bytes: the most significant one comes last in little-endian files, first in the others. */
function unpackBytes(size: number, littleEndian: boolean, flip: number): Unpack {
  const highest = littleEndian ? size - 1 : 0;
  return (row, count, target, start, step) => {
    if (size === 1 && step === 1 && flip === 0) {
      target.set(row.subarray(0, count), start);
      return;
    }
    for (let index = 0, to = start; index < count; index++, to += step)
      target[to] = row[index * size + highest]! ^ flip;
  };
}

/** 1, 2 or 4 bits: never across a byte. */
function unpackPackedBits(bits: number, values: Uint8Array): Unpack {
  const mask = (1 << bits) - 1;
  return (row, count, target, start, step) => {
    let byte = 0;
    for (let index = 0, to = start, at = 0, left = 0; index < count; index++, to += step) {
      if (left === 0) {
        byte = row[at++]!;
        left = 8;
      }
      left -= bits;
      target[to] = values[(byte >> left) & mask]!;
    }
  };
}

/** 3, 5, 6 or 7 bits, from the most significant down, across bytes. */
function unpackBits(bits: number, values: Uint8Array): Unpack {
  const mask = (1 << bits) - 1;
  return (row, count, target, start, step) => {
    let window = 0;
    for (let index = 0, to = start, at = 0, left = 0; index < count; index++, to += step) {
      if (left < bits) {
        window = ((window << 8) | row[at++]!) & 0xffff;
        left += 8;
      }
      left -= bits;
      target[to] = values[(window >> left) & mask]!;
    }
  };
}

/** More than 8 bits, but no whole number of bytes: the highest 8 of each. */
function unpackWideBits(bits: number, flip: number): Unpack {
  return (row, count, target, start, step) => {
    for (let index = 0, to = start, bit = 0; index < count; index++, to += step, bit += bits) {
      const at = Math.floor(bit / 8);
      const both = (row[at]! << 8) | (row[at + 1] ?? 0);
      target[to] = ((both >> (8 - (bit % 8))) & 0xff) ^ flip;
    }
  };
}

const stretch = (value: number) => (value > 0 ? Math.min(255, value * 255 + 0.5) : 0);

/** The code of a value between the ends of a range; of the value itself without one. */
const ranged = (range: SampleRange | undefined, code: (value: number) => number) =>
  range ? (value: number) => code((value - range.black) / (range.white - range.black)) : code;

/** Reads the integer of `size` bytes, 1 to 8, at a position of a row; rounded above 2^53. */
function integerReader(size: number, littleEndian: boolean, signed: boolean): NumberReader {
  return (row) => (at) => {
    const top = row[littleEndian ? at + size - 1 : at]!;
    let value = signed && top >= 0x80 ? top - 256 : top;
    for (let n = 1; n < size; n++) value = value * 256 + row[littleEndian ? at + size - 1 - n : at + n]!;
    return value;
  };
}

function unpackNumbers(read: NumberReader, size: number, code: (value: number) => number): Unpack {
  return (row, count, target, start, step) => {
    const value = read(row);
    for (let index = 0, to = start; index < count; index++, to += step)
      target[to] = code(value(index * size));
  };
}

/** Gives a function that reads the number at a position of a row. */
type NumberReader = (row: Uint8Array) => (at: number) => number;

/** Reads the real number of `size` bytes at a position of a row. */
export function realReader(size: number, littleEndian: boolean): NumberReader {
  return (row) => {
    const view = new DataView(row.buffer, row.byteOffset, row.byteLength);
    if (size === 2) return (at) => halfToNumber(view.getUint16(at, littleEndian));
    if (size === 3) return (at) => threeBytesToNumber(row, at, littleEndian);
    return size === 4 ? (at) => view.getFloat32(at, littleEndian) : (at) => view.getFloat64(at, littleEndian);
  };
}

/** IEEE 754 binary16: 1 bit sign, 5 exponent (bias 15), 10 fraction. */
function halfToNumber(half: number): number {
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  const size =
    exponent === 0
      ? fraction * 2 ** -24
      : exponent === 31
        ? fraction === 0
          ? Number.POSITIVE_INFINITY
          : Number.NaN
        : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return half & 0x8000 ? -size : size;
}

/** Adobe's 24-bit real: 1 bit sign, 7 exponent (bias 63), 16 fraction. */
function threeBytesToNumber(row: Uint8Array, at: number, littleEndian: boolean): number {
  const [high, middle, low] = littleEndian
    ? [row[at + 2]!, row[at + 1]!, row[at]!]
    : [row[at]!, row[at + 1]!, row[at + 2]!];
  const exponent = high & 127;
  const fraction = (middle << 8) | low;
  if (exponent === 127) return fraction === 0 ? (high & 128 ? -1 : 1) * Number.POSITIVE_INFINITY : Number.NaN;
  const size = exponent === 0 ? fraction * 2 ** -78 : (1 + fraction / 65536) * 2 ** (exponent - 63);
  return high & 128 ? -size : size;
}
