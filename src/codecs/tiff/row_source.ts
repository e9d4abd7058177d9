/** The stored rows of one chunk, decompressed as they are asked for. */
export interface RowSource {
  /**
   * Fills `into`, which is always one whole stored row, and returns the bytes written: fewer when the data
   * ends there.
   * @throws Fault 'decoding' on corrupt data
   */
  read(into: Uint8Array): number;
}

const reversedBits = Uint8Array.from({ length: 256 }, (_, value) => {
  let turned = 0;
  for (let bit = 0; bit < 8; bit++) turned |= ((value >> bit) & 1) << (7 - bit);
  return turned;
});
const sameBits = Uint8Array.from({ length: 256 }, (_, value) => value);

/**
 * What each stored byte stands for: FillOrder 2 (TIFF 6.0 tag 266) turns its bits around, before anything
 * else.
 */
export const bitOrder = (reversed: boolean): Uint8Array => (reversed ? reversedBits : sameBits);

/** A copy of stored bytes with every byte's bits turned around. */
export const turnedPiece = (piece: Uint8Array): Uint8Array => piece.map((byte) => reversedBits[byte]!);
