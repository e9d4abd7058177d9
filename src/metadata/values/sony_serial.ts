import type { Tiff } from '../tiff/ifd.ts';
import type { Entry } from '../tiff/ifd_entry.ts';

/**
 * Where the internal serial number is in Sony's enciphered field 0x9050, by camera, according to exiftool's
 * tag tables (Tag9050a to c). Other cameras have it elsewhere or nowhere.
 */
const PLACES: readonly { readonly models: RegExp; readonly at: number; readonly bytes: number }[] = [
  { models: /^NEX-(?:3N|5R|5T|6|F3|VG30E|VG900)$/, at: 0x7c, bytes: 4 },
  { models: /^ILCE-(?:3000|3500|5000|5100|6000|7|7R|7S|7M2|QX1)$/, at: 0x7c, bytes: 4 },
  { models: /^(?:SLT-A\d\dV?|HV|ILCA-(?:68|77M2))$/, at: 0xf0, bytes: 5 },
  { models: /^ILCE-(?:6100|6300|6400|6500|6600|7C|7M3|7RM2|7RM3A?|7RM4A?|7SM2|9|9M2)$/, at: 0x88, bytes: 6 },
  { models: /^(?:ILCA-99M2|ZV-E10|ILCE-(?:7M4|7RM5|7SM3)|ILME-FX3)$/, at: 0x88, bytes: 6 },
  { models: /^ILCE-1$/, at: 0x8a, bytes: 6 },
];

/** Bytes from this value up are not changed by the cipher. */
const MODULUS = 249;

/** The plain value of each enciphered byte: the cipher is the third power modulo 249. */
let plain: Uint8Array | undefined;

function decipher(byte: number): number {
  if (!plain) {
    plain = Uint8Array.from({ length: 256 }, (_, value) => value);
    for (let value = 0; value < MODULUS; value++) plain[value ** 3 % MODULUS] = value;
  }
  return plain[byte]!;
}

/** The internal serial number in the field, as hexadecimal digits; '' for an unknown camera or all zeros. */
export function sonySerial(tiff: Tiff, entry: Entry, model: string): string {
  const place = PLACES.find(({ models }) => models.test(model));
  if (!place || place.at + place.bytes > entry.bytes) return '';
  const start = entry.at + place.at;
  const serial = tiff.window.span(start, start + place.bytes)?.map(decipher);
  if (!serial || serial.every((byte) => byte === 0)) return '';
  return [...serial].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
