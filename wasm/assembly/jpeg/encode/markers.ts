/** Everything before the entropy-coded data: ITU-T T.81 annex B, T.871 for APP0. */

import { SAMPLING_GREY, SAMPLING_HALVED } from './constants';
import { TABLE_SYMBOLS } from './huffman';
import { NATURAL, QUANT_STEPS } from './quantise';
import { Encoder } from './state';

/** The most bytes of all markers: SOI, APP0, 2 DQT, SOF0, 4 DHT, SOS. */
export const MARKER_BYTES: usize = 2 + 18 + 2 * 69 + 19 + 2 * 33 + 2 * 183 + 14;

/** SOI, then APP0: JFIF 1.01, square pixels, no thumbnail (T.871 10.1). */
const OPENING: usize = memory.data<u8>([
  0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0,
]);

// @inline
function u16(at: usize, value: i32): usize {
  store<u8>(at, <u8>(value >> 8));
  store<u8>(at, <u8>value, 1);
  return at + 2;
}

/** DQT (B.2.4.1). */
function quantTable(at: usize, selector: i32, table: usize): usize {
  at = u16(u16(at, 0xffdb), 67);
  store<u8>(at++, <u8>selector);
  for (let place: usize = 0; place < 64; place++) {
    store<u8>(at++, load<u8>(table + QUANT_STEPS + <usize>load<u8>(NATURAL + place)));
  }
  return at;
}

/** DHT (B.2.4.2). `kind` is the class (0x00 DC, 0x10 AC) plus the selector. */
function huffmanTable(at: usize, kind: i32, table: usize): usize {
  let symbols = 0;
  for (let length: usize = 1; length <= 16; length++) symbols += <i32>load<u8>(table + length);
  at = u16(u16(at, 0xffc4), 19 + symbols);
  store<u8>(at++, <u8>kind);
  memory.copy(at, table + 1, 16);
  memory.copy(at + 16, table + TABLE_SYMBOLS, symbols);
  return at + 16 + symbols;
}

/**
 * Writes all markers before the entropy-coded data.
 * @param tables DC luma, AC luma, DC chroma, AC chroma, `stride` bytes apart
 * @returns the place after the markers
 */
export function writeMarkers(encoder: Encoder, at: usize, tables: usize, stride: usize): usize {
  const components = encoder.sampling === SAMPLING_GREY ? 1 : 3;
  memory.copy(at, OPENING, 20);
  at = quantTable(at + 20, 0, encoder.quantLuma);
  if (components === 3) at = quantTable(at, 1, encoder.quantChroma);

  // B.2.2, baseline: component, sampling factors, quantisation table.
  at = u16(u16(at, 0xffc0), 8 + 3 * components);
  store<u8>(at++, 8);
  at = u16(u16(at, encoder.height), encoder.width);
  store<u8>(at++, <u8>components);
  for (let i = 0; i < components; i++) {
    store<u8>(at, <u8>(i + 1));
    store<u8>(at, i === 0 && encoder.sampling === SAMPLING_HALVED ? 0x22 : 0x11, 1);
    store<u8>(at, i === 0 ? 0 : 1, 2);
    at += 3;
  }

  at = huffmanTable(at, 0x00, tables);
  at = huffmanTable(at, 0x10, tables + stride);
  if (components === 3) {
    at = huffmanTable(at, 0x01, tables + 2 * stride);
    at = huffmanTable(at, 0x11, tables + 3 * stride);
  }

  // B.2.3: one scan of all components, all coefficients.
  at = u16(u16(at, 0xffda), 6 + 2 * components);
  store<u8>(at++, <u8>components);
  for (let i = 0; i < components; i++) {
    store<u8>(at, <u8>(i + 1));
    store<u8>(at, i === 0 ? 0x00 : 0x11, 1);
    at += 2;
  }
  store<u8>(at, 0);
  store<u8>(at, 63, 1);
  store<u8>(at, 0, 2);
  return at + 3;
}
