import { decodingFault, limitFault } from '../../faults.ts';

/**
 * The first frame of a GIF and the screen it stands on; all sizes in pixels, `left` and `top` from the
 * screen's corner.
 */
export interface GifFrame {
  readonly screenWidth: number;
  readonly screenHeight: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly interlaced: boolean;
  /** Red, green, blue for each entry the file gives; empty when it gives none. */
  readonly palette: Uint8Array;
  /** The index that leaves the screen as it is, or −1. */
  readonly transparentIndex: number;
  /** Bits of an LZW literal. */
  readonly literalBits: number;
  /** Where the first data sub-block's length byte stands. */
  readonly dataAt: number;
}

/** GIF89a sections 17 to 23: sizes and labels of the blocks. */
const HEADER_BYTES = 13;
const DESCRIPTOR_BYTES = 10;
const EXTENSION = 0x21;
const GRAPHIC_CONTROL = 0xf9;
const IMAGE = 0x2c;
const TRAILER = 0x3b;

/**
 * GIF89a appendix F allows 2 to 8; real files with 0 and 11 exist and read well. A code has 12 bits at most.
 */
const MAX_LITERAL_BITS = 11;

/** No more pixels than this are decompressed for one frame, however small the screen that shows it. */
const MAX_FRAME_PIXELS = 1 << 26;

/**
 * Walks the blocks to the first image descriptor.
 * @throws Fault 'decoding' when there is none, or the file ends before its data; 'limit' over
 * MAX_FRAME_PIXELS
 */
export function readFirstFrame(bytes: Uint8Array): GifFrame {
  const u16 = (at: number) => bytes[at]! | (bytes[at + 1]! << 8);
  const need = (at: number, count: number, what: string) => {
    if (at + count > bytes.length) throw decodingFault(`The GIF ends inside its ${what}`);
  };
  need(0, HEADER_BYTES, 'header');
  const signature = String.fromCharCode(...bytes.subarray(0, 6));
  if (signature !== 'GIF87a' && signature !== 'GIF89a') {
    throw decodingFault('A GIF begins with GIF87a or GIF89a; this file does not');
  }
  let at = HEADER_BYTES;
  const table = (flags: number, what: string) => {
    if ((flags & 0x80) === 0) return undefined;
    const size = 3 * (2 << (flags & 7));
    need(at, size, what);
    at += size;
    return bytes.subarray(at - size, at);
  };
  const globalPalette = table(bytes[10]!, 'global colour table');

  let transparentIndex = -1;
  for (;;) {
    need(at, 1, 'blocks: no frame was reached');
    const label = bytes[at]!;
    if (label === IMAGE) break;
    if (label === TRAILER) throw decodingFault('The GIF has no frame: its trailer comes before any image');
    if (label !== EXTENSION) {
      throw decodingFault(
        `Expected a GIF block at byte ${at} but found 0x${label.toString(16).padStart(2, '0')}`,
      );
    }
    need(at, 3, 'extension');
    if (bytes[at + 1] === GRAPHIC_CONTROL && bytes[at + 2]! >= 4) {
      need(at, 7, 'graphic control extension');
      transparentIndex = (bytes[at + 3]! & 1) === 1 ? bytes[at + 6]! : -1;
    }
    at += 2;
    for (let size = bytes[at]!; size !== 0; size = bytes[at]!) {
      need(at, size + 2, 'extension');
      at += size + 1;
    }
    at++;
  }

  need(at, DESCRIPTOR_BYTES, 'image descriptor');
  const left = u16(at + 1);
  const top = u16(at + 3);
  const width = u16(at + 5);
  const height = u16(at + 7);
  const flags = bytes[at + 9]!;
  at += DESCRIPTOR_BYTES;
  if (width === 0 || height === 0)
    throw decodingFault(`The GIF's first frame is ${width} × ${height} pixels: empty`);
  if (width * height > MAX_FRAME_PIXELS) {
    throw limitFault(
      `The GIF's first frame is ${width} × ${height} pixels; at most ${MAX_FRAME_PIXELS} are read`,
    );
  }
  const palette = table(flags, 'local colour table') ?? globalPalette ?? new Uint8Array(0);
  need(at, 1, 'image data');
  const literalBits = bytes[at]!;
  if (literalBits > MAX_LITERAL_BITS) {
    throw decodingFault(`The GIF's image data declares literals of ${literalBits} bits; 2 to 8 are legal`);
  }
  return {
    screenWidth: u16(6),
    screenHeight: u16(8),
    left,
    top,
    width,
    height,
    interlaced: (flags & 0x40) !== 0,
    palette,
    transparentIndex,
    literalBits,
    dataAt: at + 1,
  };
}
