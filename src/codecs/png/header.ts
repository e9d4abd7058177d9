import { decodingFault, unsupportedFault } from '../../faults.ts';
import { Cursor } from '../../metadata/cursor.ts';
import { PNG_SIGNATURE, type PngChunk } from '../../metadata/png/chunks.ts';
import { PNG_COLOUR_TYPES } from '../../metadata/png/colour_types.ts';
import type { Work } from '../types.ts';
import { chunkAt, chunksFrom, isCritical, soundData, uint32 } from './chunks.ts';

/** ISO/IEC 15948 section 11.2.2. */
export const ColourType = { grey: 0, rgb: 2, palette: 3, greyAlpha: 4, rgba: 6 } as const;

/** What a PNG declares before its image data. */
export interface PngHeader {
  readonly width: number;
  readonly height: number;
  /** Bits per sample, or per palette index. */
  readonly depth: number;
  readonly colourType: number;
  readonly interlaced: boolean;
  /** PLTE: RGB triples, at most 256; empty without a palette. */
  readonly palette: Uint8Array;
  /** tRNS as stored (ISO/IEC 15948 section 11.3.2.1); undefined without one, or if it is invalid. */
  readonly transparency: Uint8Array | undefined;
  /** Offset of the first IDAT chunk. */
  readonly dataAt: number;
  /** The CRCs of all image data are known to be right. */
  readonly isChecked: boolean;
}

/** Bits of a stored pixel, for a valid pair of colour type and depth. */
export const bitsPerPixel = (colourType: number, depth: number) =>
  PNG_COLOUR_TYPES[colourType]!.channels * depth;

/**
 * Reads up to the first IDAT; yields work on the way.
 * @param isChecked whether a scan has found the file complete: then it has checked the CRCs of all image data
 * @throws Fault 'decoding' | 'unsupported'
 */
export function* readingHeader(bytes: Uint8Array, isChecked: boolean): Generator<Work, PngHeader> {
  if (PNG_SIGNATURE.some((byte, at) => bytes[at] !== byte)) throw decodingFault('This is not a PNG');
  const file = Cursor.unlimited(bytes);
  const first = chunkAt(file, PNG_SIGNATURE.length);
  if (first?.type === 'CgBI') {
    throw unsupportedFault("This is Apple's CgBI variant of PNG, made for apps; a standard PNG is expected");
  }
  if (first?.type !== 'IHDR') throw decodingFault('The PNG does not start with an IHDR chunk');
  const image = readImageHeader(critical(file, first));

  let palette: Uint8Array = new Uint8Array(0);
  let palettes = 0;
  let transparency: Uint8Array | undefined;
  for (const chunk of chunksFrom(file, first.next)) {
    if (typeof chunk === 'number') {
      yield chunk;
      continue;
    }
    if (chunk.type !== 'IDAT' && chunk.truncated) break;
    switch (chunk.type) {
      case 'IDAT': {
        if (image.colourType === ColourType.palette && palette.length === 0) {
          throw decodingFault('The PNG is of palette type but has no PLTE chunk');
        }
        return { ...image, palette, transparency, dataAt: chunk.start, isChecked };
      }
      case 'PLTE':
        if (palettes++ > 0) throw decodingFault('The PNG has more than one PLTE chunk');
        // For other colour types a palette is only a suggestion.
        if (image.colourType === ColourType.palette)
          palette = readPalette(critical(file, chunk), image.depth);
        break;
      case 'tRNS':
        transparency ??= fitting(soundData(file, chunk), image.colourType, palette);
        break;
      case 'IHDR':
      case 'IEND':
        throw decodingFault(`The PNG has an ${chunk.type} chunk before its image data`);
      default:
        if (isCritical(chunk))
          throw decodingFault(`The PNG has a critical chunk that no standard names: ${chunk.type}`);
    }
  }
  throw decodingFault('The PNG ends before its image data');
}

function critical(file: Cursor, chunk: PngChunk): Uint8Array {
  const data = soundData(file, chunk);
  if (!data)
    throw decodingFault(`The PNG's ${chunk.type} chunk is damaged: its CRC is wrong or it is cut off`);
  return data;
}

function readImageHeader(data: Uint8Array) {
  if (data.length !== 13) throw decodingFault(`The PNG's IHDR has ${data.length} bytes, 13 are expected`);
  const width = uint32(data, 0);
  const height = uint32(data, 4);
  const [depth, colourType, compression, filter, interlace] = data.subarray(8) as unknown as readonly [
    number,
    number,
    number,
    number,
    number,
  ];
  if (width === 0 || height === 0 || width > 0x7fff_ffff || height > 0x7fff_ffff) {
    throw decodingFault(`The PNG declares ${width} × ${height} pixels`);
  }
  if (!PNG_COLOUR_TYPES[colourType]?.depths.includes(depth)) {
    throw decodingFault(
      `The PNG declares colour type ${colourType} with ${depth} bits, which does not exist`,
    );
  }
  if (compression !== 0 || filter !== 0 || interlace > 1) {
    throw decodingFault(
      `The PNG declares compression ${compression}, filter ${filter} and interlace ${interlace}; 0, 0 and 0 or 1 are expected`,
    );
  }
  return { width, height, depth, colourType, interlaced: interlace === 1 };
}

function readPalette(data: Uint8Array, depth: number): Uint8Array {
  if (data.length === 0 || data.length % 3 !== 0 || data.length > 768) {
    throw decodingFault(`The PNG's palette has ${data.length} bytes; 3 to 768 in threes are expected`);
  }
  return data.subarray(0, 3 << depth);
}

/**
 * Ignores a tRNS chunk that is damaged, of the wrong size, before its palette or not allowed, as libpng does.
 * @param palette as read so far
 */
function fitting(
  transparency: Uint8Array | undefined,
  colourType: number,
  palette: Uint8Array,
): Uint8Array | undefined {
  const length = transparency?.length ?? 0;
  if (colourType === ColourType.palette)
    return length > 0 && length <= palette.length / 3 ? transparency : undefined;
  if (colourType === ColourType.grey) return length === 2 ? transparency : undefined;
  return colourType === ColourType.rgb && length === 6 ? transparency : undefined;
}
