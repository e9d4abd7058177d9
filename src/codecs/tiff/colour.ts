import type { PageColour } from './photometric.ts';
import { labToSrgb } from './srgb.ts';

/**
 * Writes `count` pixels of four samples (RGBA, or CMYK) to out[at], from `stride` samples for each pixel,
 * beginning at samples[from].
 */
export type PixelWriter<Samples = Uint8Array> = (
  samples: Samples,
  from: number,
  stride: number,
  count: number,
  out: Samples,
  at: number,
) => void;

/** Writes a page's colour as RGBA; alpha is 255 (see `writeAlpha`). */
export function colourWriter(colour: PageColour): PixelWriter {
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

/** @param invert 255 exchanges black and white, 0 does not */
function writeGrey(
  samples: Uint8Array,
  from: number,
  stride: number,
  count: number,
  out: Uint8Array,
  at: number,
  invert: number,
): void {
  const words = wordsOf(out, at, count);
  for (let x = 0, in_ = from; x < count; x++, in_ += stride)
    words[x] = OPAQUE | ((samples[in_]! ^ invert) * 0x010101);
}

const writeRgb: PixelWriter = (samples, from, stride, count, out, at) => {
  const words = wordsOf(out, at, count);
  for (let x = 0, in_ = from; x < count; x++, in_ += stride) {
    words[x] = OPAQUE | (samples[in_ + 2]! << 16) | (samples[in_ + 1]! << 8) | samples[in_]!;
  }
};

function paletteWriter(palette: Uint8Array): PixelWriter {
  const colours = new Uint32Array(256);
  writeRgb(palette, 0, 3, palette.length / 3, new Uint8Array(colours.buffer), 0);
  return (samples, from, stride, count, out, at) => {
    const words = wordsOf(out, at, count);
    for (let x = 0, in_ = from; x < count; x++, in_ += stride) words[x] = colours[samples[in_]!]!;
  };
}

/** CMYK without a profile (TIFF 6.0 section 16): R = 255 · (1 − C) · (1 − K), and so on, rounded. */
const writeCmyk: PixelWriter = (samples, from, stride, count, out, at) => {
  for (let index = 0, in_ = from, to = at; index < count; index++, in_ += stride, to += 4) {
    const light = 255 - samples[in_ + 3]!;
    out[to] = Math.round(((255 - samples[in_]!) * light) / 255);
    out[to + 1] = Math.round(((255 - samples[in_ + 1]!) * light) / 255);
    out[to + 2] = Math.round(((255 - samples[in_ + 2]!) * light) / 255);
    out[to + 3] = 255;
  }
};

/** CMYK as stored, 8 bits a sample, as an ICC profile for it reads them. */
export const writeCmykSamples: PixelWriter = (samples, from, stride, count, out, at) => {
  for (let index = 0, in_ = from, to = at; index < count; index++, in_ += stride, to += 4) {
    out[to] = samples[in_]!;
    out[to + 1] = samples[in_ + 1]!;
    out[to + 2] = samples[in_ + 2]!;
    out[to + 3] = samples[in_ + 3]!;
  }
};

/** @param signBit 128 if a* and b* are in two's complement (CIELab), 0 if they are offset by 128 (ICCLab) */
function labWriter(signBit: number): PixelWriter {
  const write = labToSrgb();
  return (samples, from, stride, count, out, at) => {
    for (let index = 0, in_ = from, to = at; index < count; index++, in_ += stride, to += 4) {
      write(samples[in_]!, samples[in_ + 1]! ^ signBit, samples[in_ + 2]! ^ signBit, out, to);
      out[to + 3] = 255;
    }
  };
}

/**
 * Writes alpha from samples[from], and divides the colour by it if that is premultiplied (TIFF 6.0 section
 * 18).
 * @param most the greatest sample: 255 or 65535
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

/** YCbCr is computed with 16 bits of fraction, as in libtiff: the same results to the last bit. */
const YCBCR_ONE = 65536;
const YCBCR_HALF = 32768;

/**
 * YCbCr to RGB by TIFF 6.0 sections 20 and 21: any luma coefficients, any reference black and white.
 * @param luma coefficients of red, green and blue
 * @param reference codes of black and white for Y, Cb, Cr
 */
function ycbcrWriter(luma: readonly [number, number, number], reference: readonly number[]): PixelWriter {
  const [red, green, blue] = luma;
  const [blackY = 0, whiteY = 255, blackCb = 128, whiteCb = 255, blackCr = 128, whiteCr = 255] =
    reference.map(Math.trunc);
  const factor = (value: number) => Math.trunc(Math.min(2, Math.max(0, value)) * YCBCR_ONE + 0.5);
  const redByCr = factor(2 - 2 * red);
  const greenByCr = factor((red * (2 - 2 * red)) / green);
  const blueByCb = factor(2 - 2 * blue);
  const greenByCb = factor((blue * (2 - 2 * blue)) / green);
  const bound = (value: number, most: number) => Math.trunc(Math.min(most, Math.max(-most, value)));

  const crToRed = new Int32Array(256);
  const crToGreen = new Int32Array(256);
  const cbToGreen = new Int32Array(256);
  const cbToBlue = new Int32Array(256);
  const brightness = new Int32Array(256);
  for (let code = 0; code < 256; code++) {
    const cr = bound(scaled(code - 128, blackCr - 128, whiteCr - 128, 127), 4096);
    const cb = bound(scaled(code - 128, blackCb - 128, whiteCb - 128, 127), 4096);
    crToRed[code] = (redByCr * cr + YCBCR_HALF) >> 16;
    cbToBlue[code] = (blueByCb * cb + YCBCR_HALF) >> 16;
    crToGreen[code] = -greenByCr * cr;
    cbToGreen[code] = -greenByCb * cb + YCBCR_HALF;
    brightness[code] = bound(scaled(code, blackY, whiteY, 255), 4096);
  }
  return (samples, from, stride, count, out, at) => {
    for (let index = 0, in_ = from, to = at; index < count; index++, in_ += stride, to += 4) {
      const y = brightness[samples[in_]!]!;
      const cb = samples[in_ + 1]!;
      const cr = samples[in_ + 2]!;
      out[to] = clamp(y + crToRed[cr]!);
      out[to + 1] = clamp(y + ((cbToGreen[cb]! + crToGreen[cr]!) >> 16));
      out[to + 2] = clamp(y + cbToBlue[cb]!);
      out[to + 3] = 255;
    }
  };
}

const clamp = (value: number) => (value < 0 ? 0 : Math.min(value, 255));

/** A code between those of black and white, scaled to `range`. */
const scaled = (code: number, black: number, white: number, range: number) =>
  ((code - black) * range) / (white === black ? 1 : white - black);

/**
 * Spreads one row of data units (TIFF 6.0 section 21: Y of `horizontal` × `vertical` pixels, then their one
 * Cb and Cr) over `vertical` rows of `width` pixels, three samples each.
 */
export function spreadUnits(
  units: Uint8Array,
  width: number,
  [horizontal, vertical]: readonly [number, number],
  samples: Uint8Array,
): void {
  const size = horizontal * vertical + 2;
  for (let x = 0; x < width; x++) {
    const unit = Math.floor(x / horizontal) * size;
    const inside = x % horizontal;
    for (let y = 0; y < vertical; y++) {
      const to = (y * width + x) * 3;
      samples[to] = units[unit + y * horizontal + inside]!;
      samples[to + 1] = units[unit + size - 2]!;
      samples[to + 2] = units[unit + size - 1]!;
    }
  }
}
