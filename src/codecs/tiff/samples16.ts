import type { PixelWriter } from './colour.ts';
import type { Page } from './page.ts';
import { realReader, type Unpack } from './samples.ts';

/** Whether a page's samples have more than 8 bits that the colour step can use. */
export function offersSamples16({ bits, format, range, profiled, colour }: Page): boolean {
  const direct = colour.kind === 'grey' || colour.kind === 'whiteIsZero' || colour.kind === 'rgb';
  return direct && range === undefined && bits > 8 && (format !== 'float' || profiled);
}

/**
 * Reads samples of more than 8 bits as 16 bits: larger ones keep their highest 16, smaller ones are scaled
 * up. Signs as in `unpackSamples`. Real numbers are codes from 0 to 1; only in pages with a profile, which
 * defines them.
 */
export function unpackSamples16(page: Page): Unpack<Uint16Array> {
  const { bits, littleEndian, format } = page;
  if (format === 'float') return unpackReals(realReader(bits / 8, littleEndian), bits / 8);
  const flip = format === 'signed' ? 0x8000 : 0;
  return bits % 8 === 0 ? unpackBytes(bits / 8, littleEndian, flip) : unpackBits(bits, flip);
}

/** Two bytes and more: the most significant ones come last in little-endian files, first in the others. */
function unpackBytes(size: number, littleEndian: boolean, flip: number): Unpack<Uint16Array> {
  const high = littleEndian ? size - 1 : 0;
  const low = littleEndian ? size - 2 : 1;
  return (row, count, target, start, step) => {
    for (let index = 0, to = start, at = 0; index < count; index++, to += step, at += size)
      target[to] = ((row[at + high]! << 8) | row[at + low]!) ^ flip;
  };
}

/**
 * Bits across bytes, from the most significant down; what is missing to 16 is filled with the sample's own
 * first bits.
 */
function unpackBits(bits: number, flip: number): Unpack<Uint16Array> {
  const taken = Math.min(16, bits);
  return (row, count, target, start, step) => {
    for (let index = 0, to = start, bit = 0; index < count; index++, to += step, bit += bits) {
      const at = bit >> 3;
      const three = (row[at]! << 16) | ((row[at + 1] ?? 0) << 8) | (row[at + 2] ?? 0);
      const value = ((three << (8 + (bit & 7))) >>> (32 - taken)) ^ (flip >> (16 - taken));
      target[to] = (value << (16 - taken)) | (value >> (2 * taken - 16));
    }
  };
}

function unpackReals(read: (row: Uint8Array) => (at: number) => number, size: number): Unpack<Uint16Array> {
  return (row, count, target, start, step) => {
    const value = read(row);
    for (let index = 0, to = start; index < count; index++, to += step) {
      const code = value(index * size);
      target[to] = code > 0 ? Math.min(65_535, code * 65_535 + 0.5) : 0;
    }
  };
}

const OPAQUE = 0xffff;

/** Writes a page's grey or RGB as RGBA of 16 bits a sample; alpha is 65535 (see `writeAlpha`). */
export function colourWriter16({ colour: { kind } }: Page): PixelWriter<Uint16Array> {
  const invert = kind === 'whiteIsZero' ? 0xffff : 0;
  const [green, blue] = kind === 'rgb' ? [1, 2] : [0, 0];
  return (samples, from, stride, count, out, at) => {
    for (let index = 0, in_ = from, to = at; index < count; index++, in_ += stride, to += 4) {
      out[to] = samples[in_]! ^ invert;
      out[to + 1] = samples[in_ + green]! ^ invert;
      out[to + 2] = samples[in_ + blue]! ^ invert;
      out[to + 3] = OPAQUE;
    }
  };
}
