import { decodingFault, limitFault } from '../../faults.ts';
import { Cursor } from '../../metadata/cursor.ts';
import type { ByteRange } from '../../metadata/facts.ts';
import {
  ExtensionLabel,
  type GifImage,
  type GifScreen,
  gifBlocks,
  gifImage,
  gifIsBlank,
  gifScreen,
  gifSize,
  Introducer,
} from '../../metadata/gif/blocks.ts';

/**
 * The frame of a GIF that is shown and its screen; all sizes in pixels, `left` and `top` from the screen's
 * corner.
 */
export interface GifFrame {
  readonly screenWidth: number;
  readonly screenHeight: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly interlaced: boolean;
  /** Red, green, blue for each entry of the palette; empty if the file has none. */
  readonly palette: Uint8Array;
  /** The index that leaves the screen as it is, or −1. */
  readonly transparentIndex: number;
  /** Bits of an LZW literal. */
  readonly literalBits: number;
  /** Position of the first data sub-block's length byte. */
  readonly dataAt: number;
  /** Whether it has no pixels, and leaves the screen as it is. */
  readonly blank: boolean;
}

/**
 * GIF89a appendix F allows 2 to 8; real files with 0 and 11 exist and read well. A code has 12 bits at most.
 */
const MAX_LITERAL_BITS = 11;

/** The most pixels that are decompressed for one frame, however small the screen that shows it. */
const MAX_FRAME_PIXELS = 1 << 26;

/**
 * Walks the blocks to the first frame that has pixels, or to the end if none has; yields as scanners do.
 * @throws Fault 'decoding' when there is none, or the file ends before its data; 'limit' over
 * MAX_FRAME_PIXELS
 */
export function* readFirstFrame(bytes: Uint8Array): Generator<number, GifFrame> {
  const file = Cursor.unlimited(bytes);
  const screen = gifScreen(file);
  if (screen.truncated) throw cutInside('header');
  if (!file.matches(0, 'GIF87a') && !file.matches(0, 'GIF89a')) {
    throw decodingFault('A GIF begins with GIF87a or GIF89a; this file does not');
  }
  const globalPalette = colours(file, screen.palette, 'global colour table');
  let transparentIndex = -1;
  let blank: GifFrame | undefined;
  for (const block of gifBlocks(file, screen.end)) {
    if (typeof block === 'number') {
      yield block;
      continue;
    }
    const { introducer, start, truncated } = block;
    switch (introducer) {
      case Introducer.image: {
        const image = gifImage(file, start);
        if (image === null) throw cutInside('image descriptor');
        const frame = describeFrame(file, screen, image, globalPalette, transparentIndex);
        if (!frame.blank) return frame;
        blank ??= frame;
        transparentIndex = -1;
        break;
      }
      case Introducer.trailer:
        if (blank) return blank;
        throw decodingFault('The GIF has no frame: its trailer comes before any image');
      case Introducer.extension:
        if (truncated) throw cutInside('extension');
        transparentIndex = transparentIndexAt(file, start) ?? transparentIndex;
        break;
      // a stray terminator
      case 0:
        break;
      default:
        if (blank) return blank;
        throw decodingFault(
          `Expected a GIF block at byte ${start} but found 0x${introducer.toString(16).padStart(2, '0')}`,
        );
    }
  }
  if (blank) return blank;
  throw cutInside('blocks: no frame was reached');
}

const cutInside = (what: string) => decodingFault(`The GIF ends inside its ${what}`);

/** Red, green, blue of each entry of a colour table; undefined for none. */
function colours(file: Cursor, table: ByteRange | null, what: string): Uint8Array | undefined {
  if (table === null) return undefined;
  if (table.end > file.length) throw cutInside(what);
  return file.bytes.subarray(table.start, table.end);
}

/** The index that a graphic control extension (section 23) makes transparent, or −1; undefined for others. */
function transparentIndexAt(file: Cursor, start: number): number | undefined {
  if (file.u8(start + 1) !== ExtensionLabel.graphicControl || file.u8(start + 2) < 4) return undefined;
  return (file.u8(start + 3) & 1) === 1 ? file.u8(start + 6) : -1;
}

function describeFrame(
  file: Cursor,
  screen: GifScreen,
  image: GifImage,
  globalPalette: Uint8Array | undefined,
  transparentIndex: number,
): GifFrame {
  const { left, top, width, height, interlaced, literalBitsAt } = image;
  const size = gifSize(screen, image);
  if (width * height > MAX_FRAME_PIXELS) {
    throw limitFault(
      `The GIF's first frame is ${width} × ${height} pixels; at most ${MAX_FRAME_PIXELS} are read`,
    );
  }
  const palette = colours(file, image.palette, 'local colour table') ?? globalPalette ?? new Uint8Array(0);
  const literalBits = file.u8(literalBitsAt);
  if (literalBits < 0) throw cutInside('image data');
  if (literalBits > MAX_LITERAL_BITS) {
    throw decodingFault(`The GIF's image data declares literals of ${literalBits} bits; 2 to 8 are legal`);
  }
  return {
    screenWidth: size.width,
    screenHeight: size.height,
    left,
    top,
    width,
    height,
    interlaced,
    palette,
    transparentIndex,
    literalBits,
    dataAt: literalBitsAt + 1,
    blank: gifIsBlank(file, image),
  };
}
