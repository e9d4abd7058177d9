import type { ColourWriter } from './colour.ts';

/** 16 bits of fraction, as libtiff computes it: the same results to the last bit. */
const ONE = 65536;
const HALF = 32768;

/**
 * YCbCr to RGB by TIFF 6.0 sections 20 and 21: any shares of luma, any codes of black and white.
 * @param luma shares of red, green and blue
 * @param reference codes of black and white for Y, Cb, Cr
 */
export function ycbcrWriter(
  luma: readonly [number, number, number],
  reference: readonly number[],
): ColourWriter {
  const [red, green, blue] = luma;
  const [blackY = 0, whiteY = 255, blackCb = 128, whiteCb = 255, blackCr = 128, whiteCr = 255] =
    reference.map(Math.trunc);
  const factor = (value: number) => Math.trunc(Math.min(2, Math.max(0, value)) * ONE + 0.5);
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
    crToRed[code] = (redByCr * cr + HALF) >> 16;
    cbToBlue[code] = (blueByCb * cb + HALF) >> 16;
    crToGreen[code] = -greenByCr * cr;
    cbToGreen[code] = -greenByCb * cb + HALF;
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

/** A code between those of black and white, stretched to `range`. */
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
