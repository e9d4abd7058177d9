import { labTable } from './lab.ts';
import type { PageColour } from './page_colour.ts';
import { ycbcrWriter } from './ycbcr.ts';

/**
 * Writes `count` pixels of RGBA to out[at] from 8-bit samples, `stride` of them for each pixel from
 * samples[from].
 */
export type ColourWriter = (
  samples: Uint8Array,
  from: number,
  stride: number,
  count: number,
  out: Uint8Array,
  at: number,
) => void;

/** Writes a page's colour; alpha is 255 (see `writeAlpha`). */
export function colourWriter(colour: PageColour): ColourWriter {
  switch (colour.kind) {
    case 'whiteIsZero':
      return (samples, from, stride, count, out, at) => writeGrey(samples, from, stride, count, out, at, 255);
    case 'grey':
      return (samples, from, stride, count, out, at) => writeGrey(samples, from, stride, count, out, at, 0);
    case 'rgb':
      return writeRgb;
    case 'palette':
      return paletteWriter(colour.palette!);
    case 'cmyk':
      return writeCmyk;
    case 'ycbcr':
      return ycbcrWriter(colour.luma, colour.reference);
    case 'lab':
      return labWriter(128);
    case 'iccLab':
      return labWriter(0);
  }
}

/**
 * Whole pixels of `out` from `at`, as words: red lowest (every host of WebAssembly is little-endian), alpha
 * highest.
 */
const wordsOf = (out: Uint8Array, at: number, count: number) =>
  new Uint32Array(out.buffer, out.byteOffset + at, count);

const OPAQUE = 0xff000000;

/** @param turn 255 turns black and white around */
function writeGrey(
  samples: Uint8Array,
  from: number,
  stride: number,
  count: number,
  out: Uint8Array,
  at: number,
  turn: number,
): void {
  const words = wordsOf(out, at, count);
  for (let x = 0, in_ = from; x < count; x++, in_ += stride)
    words[x] = OPAQUE | ((samples[in_]! ^ turn) * 0x010101);
}

const writeRgb: ColourWriter = (samples, from, stride, count, out, at) => {
  const words = wordsOf(out, at, count);
  for (let x = 0, in_ = from; x < count; x++, in_ += stride) {
    words[x] = OPAQUE | (samples[in_ + 2]! << 16) | (samples[in_ + 1]! << 8) | samples[in_]!;
  }
};

function paletteWriter(palette: Uint8Array): ColourWriter {
  const colours = new Uint32Array(256);
  writeRgb(palette, 0, 3, palette.length / 3, new Uint8Array(colours.buffer), 0);
  return (samples, from, stride, count, out, at) => {
    const words = wordsOf(out, at, count);
    for (let x = 0, in_ = from; x < count; x++, in_ += stride) words[x] = colours[samples[in_]!]!;
  };
}

/** Inks without a profile (TIFF 6.0 section 16): R = 255 · (1 − C) · (1 − K), and so on, rounded. */
const writeCmyk: ColourWriter = (samples, from, stride, count, out, at) => {
  for (let index = 0, in_ = from, to = at; index < count; index++, in_ += stride, to += 4) {
    const light = 255 - samples[in_ + 3]!;
    out[to] = Math.round(((255 - samples[in_]!) * light) / 255);
    out[to + 1] = Math.round(((255 - samples[in_ + 1]!) * light) / 255);
    out[to + 2] = Math.round(((255 - samples[in_ + 2]!) * light) / 255);
    out[to + 3] = 255;
  }
};

/**
 * @param zero the code of a* = b* = 0 after turning the highest bit around: CIELab stores two's complement
 * (128 here)
 */
function labWriter(signBit: number): ColourWriter {
  const lab = labTable();
  return (samples, from, stride, count, out, at) => {
    for (let index = 0, in_ = from, to = at; index < count; index++, in_ += stride, to += 4) {
      lab.write(samples[in_]!, samples[in_ + 1]! ^ signBit, samples[in_ + 2]! ^ signBit, out, to);
      out[to + 3] = 255;
    }
  };
}

/** The inks as they are, 8 bits each: what a profile for them reads. */
export const writeInks: ColourWriter = (samples, from, stride, count, out, at) => {
  for (let index = 0, in_ = from, to = at; index < count; index++, in_ += stride, to += 4) {
    out[to] = samples[in_]!;
    out[to + 1] = samples[in_ + 1]!;
    out[to + 2] = samples[in_ + 2]!;
    out[to + 3] = samples[in_ + 3]!;
  }
};

/**
 * Writes alpha from samples[from], and divides the colour by it where it was multiplied (TIFF 6.0 section
 * 18).
 * @param most what a sample can be: 255 or 65535
 */
export function writeAlpha<Samples extends Uint8Array | Uint16Array>(
  samples: Samples,
  from: number,
  stride: number,
  count: number,
  out: Samples,
  at: number,
  premultiplied: boolean,
  most: number,
): void {
  for (let index = 0, in_ = from, to = at; index < count; index++, in_ += stride, to += 4) {
    const alpha = samples[in_]!;
    out[to + 3] = alpha;
    if (!premultiplied || alpha === most) continue;
    for (let channel = to; channel < to + 3; channel++) {
      out[channel] = alpha === 0 ? 0 : Math.min(most, Math.round((out[channel]! * most) / alpha));
    }
  }
}
