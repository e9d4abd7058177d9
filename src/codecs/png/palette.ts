import { indexDepth } from './indices.ts';

/** The data of a palette's chunks. */
interface PaletteChunks {
  /** PLTE (ISO/IEC 15948 section 11.2.3): RGB triples. */
  readonly colours: Uint8Array;
  /** tRNS (section 11.3.2.1): alpha of the first entries; later ones are opaque. Empty if all are opaque. */
  readonly alphas: Uint8Array;
}

/** Bytes of a chunk's length, type and CRC (ISO/IEC 15948 section 5.3). */
const CHUNK_FRAME_BYTES = 12;

/** Bytes that the largest palette adds to a file: 256 colours with their alphas. */
export const MAX_PALETTE_BYTES = 256 * 4 + 2 * CHUNK_FRAME_BYTES;

/** @param rgba the palette's colours */
export function paletteChunks(rgba: Uint8Array): PaletteChunks {
  const count = rgba.length / 4;
  const colours = new Uint8Array(count * 3);
  const alphas = new Uint8Array(count);
  let translucent = 0;
  for (let i = 0; i < count; i++) {
    colours.set(rgba.subarray(i * 4, i * 4 + 3), i * 3);
    alphas[i] = rgba[i * 4 + 3]!;
    if (alphas[i] !== 255) translucent = i + 1;
  }
  return { colours, alphas: alphas.subarray(0, translucent) };
}

/**
 * Whether indices are worth their palette. They save some bits of each pixel, most of which compression would
 * have saved anyway: a quarter is counted.
 * @param channels bytes of a pixel without a palette
 */
export function isPaletteWorthIt(pixels: number, channels: number, colours: number): boolean {
  return (pixels * (channels - indexDepth(colours) / 8)) / 4 > colours * 3 + CHUNK_FRAME_BYTES;
}

/** Converts rows of indices back to RGBA. Every row is yielded in the same array. */
export function* unindexedRows(
  indices: Uint8Array,
  width: number,
  palette: Uint8Array<ArrayBuffer>,
): Generator<Uint8Array> {
  const colours = new Uint32Array(palette.buffer, palette.byteOffset, palette.length / 4);
  const row = new Uint32Array(width);
  const bytes = new Uint8Array(row.buffer);
  for (let at = 0; at < indices.length; at += width) {
    for (let x = 0; x < width; x++) row[x] = colours[indices[at + x]!]!;
    yield bytes;
  }
}
