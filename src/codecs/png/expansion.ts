import {
  LAYOUT_GREY_ALPHA8,
  LAYOUT_GREY_ALPHA16,
  LAYOUT_GREY16,
  LAYOUT_RGB8,
  LAYOUT_RGB16,
  LAYOUT_RGBA8,
  LAYOUT_RGBA16,
} from '../../core/constants.ts';
import type { Core } from '../../core/instance.ts';
import { bitsPerPixel, ColourType, type PngHeader } from './header.ts';

/** Bytes of the lookup table for samples of up to 8 bits: 256 RGBA values. */
export const TABLE_BYTES = 1024;

/** Writes `width` pixels of the stored row at `row` to `out` as RGBA. */
type Expand = (row: number, out: number, width: number) => void;

/** What the header says about every pixel. */
interface PixelTraits {
  readonly opaque: boolean;
  readonly grey: boolean;
}

/**
 * The conversion of this image's stored rows to RGBA. `table` is TABLE_BYTES of core memory, filled if the
 * conversion needs it.
 */
export function expansion(core: Core, header: PngHeader, table: number): Expand {
  const { exports } = core;
  const { colourType, depth, transparency } = header;
  if (colourType === ColourType.palette || (colourType === ColourType.grey && depth <= 8)) {
    if (depth === 8 && colourType === ColourType.grey && !transparency) return exports.pngExpandGrey8;
    core
      .view(table, TABLE_BYTES)
      .set(colourType === ColourType.palette ? paletteTable(header) : greyTable(header));
    return (row, out, width) => exports.pngExpandTable(row, out, width, depth, table);
  }
  const layout = layoutOf(colourType, depth);
  if (!transparency) return (row, out, width) => exports.pngExpand(layout, row, out, width);
  const { key, bytes } = transparentColour(transparency, depth);
  return (row, out, width) => {
    exports.pngExpand(layout, row, out, width);
    exports.pngApplyKey(row, out, width, key, bytes);
  };
}

/** Whether all pixels are opaque, and whether all are grey, by colour type, palette and tRNS. */
export function pixelTraits(header: PngHeader): PixelTraits {
  const { colourType, transparency, palette } = header;
  if (colourType !== ColourType.palette) {
    return {
      opaque: (colourType === ColourType.grey || colourType === ColourType.rgb) && !transparency,
      grey: colourType === ColourType.grey || colourType === ColourType.greyAlpha,
    };
  }
  let grey = true;
  for (let at = 0; at < palette.length; at += 3) {
    grey &&= palette[at] === palette[at + 1] && palette[at] === palette[at + 2];
  }
  return { opaque: !transparency?.some((alpha) => alpha < 255), grey };
}

function layoutOf(colourType: number, depth: number): number {
  const wide = depth === 16;
  if (colourType === ColourType.grey) return LAYOUT_GREY16;
  if (colourType === ColourType.rgb) return wide ? LAYOUT_RGB16 : LAYOUT_RGB8;
  if (colourType === ColourType.greyAlpha) return wide ? LAYOUT_GREY_ALPHA16 : LAYOUT_GREY_ALPHA8;
  return wide ? LAYOUT_RGBA16 : LAYOUT_RGBA8;
}

/** Palette entries with their alpha; an index beyond the palette is opaque black, as in libpng. */
function paletteTable({ palette, transparency }: PngHeader): Uint8Array {
  const table = new Uint8Array(TABLE_BYTES);
  for (let i = 0; i < 256; i++) {
    table.set(palette.subarray(i * 3, i * 3 + 3), i * 4);
    table[i * 4 + 3] = transparency?.[i] ?? 255;
  }
  return table;
}

/**
 * Grey samples scaled to 0–255 (ISO/IEC 15948 section 13.12: exact for 1, 2 and 4 bits); tRNS makes one of
 * them transparent.
 */
function greyTable({ depth, transparency }: PngHeader): Uint8Array {
  const table = new Uint8Array(TABLE_BYTES);
  const most = (1 << depth) - 1;
  // Bits beyond the depth are ignored (section 11.3.2.1).
  const key = transparency ? transparency[1]! & most : -1;
  for (let i = 0; i <= most; i++) {
    const grey = (i * 255) / most;
    table.set([grey, grey, grey, i === key ? 0 : 255], i * 4);
  }
  return table;
}

/** tRNS of grey or RGB, as the bytes of one stored pixel, first byte lowest. */
function transparentColour(transparency: Uint8Array, depth: number): { key: bigint; bytes: number } {
  const stored = depth === 16 ? transparency : transparency.filter((_, at) => at % 2 === 1);
  const key = stored.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return { key, bytes: stored.length };
}

/**
 * Distance between a byte and the one that the filters call "left" (ISO/IEC 15948 section 9.2), at least 1.
 */
export const filterDistance = (header: PngHeader) =>
  Math.max(1, bitsPerPixel(header.colourType, header.depth) >> 3);

/** Bytes of a stored row of `width` pixels, without its filter type. */
export const rowBytes = (colourType: number, depth: number, width: number) =>
  Math.ceil((bitsPerPixel(colourType, depth) * width) / 8);
