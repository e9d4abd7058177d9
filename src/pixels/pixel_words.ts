/**
 * The same pixels as 32-bit words, one a pixel; no copy. A strip's pixels begin on a 4-byte boundary
 * (codecs/types.ts).
 */
export function pixelWords(pixels: Uint8Array): Uint32Array {
  return new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.byteLength >>> 2);
}
