import type { Cursor } from '../cursor.ts';
import type { ByteRange } from '../facts.ts';

/** Signature and logical screen descriptor, GIF89a (CompuServe 1990) sections 17 and 18. */
const HEADER_BYTES = 13;
/** An image descriptor, including its introducer (section 20). */
const DESCRIPTOR_BYTES = 10;

/** Work of creating and handling a block, in bytes searched. */
const BLOCK_WORK = 192;

/** The first bytes of blocks, sections 20, 23 and 27. */
export const Introducer = { image: 0x2c, extension: 0x21, trailer: 0x3b } as const;
/** The types of extensions, sections 23 to 26. */
export const ExtensionLabel = {
  plainText: 0x01,
  graphicControl: 0xf9,
  comment: 0xfe,
  application: 0xff,
} as const;

/** The logical screen of the frames. Sizes in pixels, places as offsets in the cursor's window. */
export interface GifScreen {
  /** 0 if the window ends before it. */
  readonly width: number;
  readonly height: number;
  /**
   * Where the global colour table lies, three bytes per entry; null for none. It may extend beyond the
   * window.
   */
  readonly palette: ByteRange | null;
  /** Where the first block begins. */
  readonly end: number;
  /** Whether the window ends inside the header. */
  readonly truncated: boolean;
}

/** The content of an image descriptor (section 20). */
export interface GifImage {
  /** The frame's corner on the screen and its size, in pixels. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly interlaced: boolean;
  /** The frame's own colour table; null for none. It may extend beyond the window. */
  readonly palette: ByteRange | null;
  /** Offset of the byte that states how many bits an LZW literal has; sub-blocks follow it. */
  readonly literalBitsAt: number;
}

/** One block, of which only the extent was read. */
export interface GifBlock {
  /** One of `Introducer`, or 0: a stray terminator, to be skipped; any other is no block, and ends all. */
  readonly introducer: number;
  readonly start: number;
  /** After the terminator of its last sub-block; equal to `start` if it is not a block. */
  readonly end: number;
  /** Whether the window ends before the block does; `end` is then the end of the window. */
  readonly truncated: boolean;
}

/** Reads the header, except for its six bytes of signature. */
export function gifScreen(cursor: Cursor): GifScreen {
  const palette = colourTable(cursor.u8(10), HEADER_BYTES);
  return {
    width: Math.max(0, cursor.u16(6, true)),
    height: Math.max(0, cursor.u16(8, true)),
    palette,
    end: palette?.end ?? HEADER_BYTES,
    truncated: cursor.length < HEADER_BYTES,
  };
}

/** The colour table announced by a packed field (sections 18 and 20); `flags` −1 means none. */
function colourTable(flags: number, start: number): ByteRange | null {
  return flags < 0 || (flags & 0x80) === 0 ? null : { start, end: start + (3 << ((flags & 7) + 1)) };
}

/** The image descriptor at `start`, or null if the window ends inside it. */
export function gifImage(cursor: Cursor, start: number): GifImage | null {
  const flags = cursor.u8(start + 9);
  if (flags < 0) return null;
  const palette = colourTable(flags, start + DESCRIPTOR_BYTES);
  return {
    left: cursor.u16(start + 1, true),
    top: cursor.u16(start + 3, true),
    width: cursor.u16(start + 5, true),
    height: cursor.u16(start + 7, true),
    interlaced: (flags & 0x40) !== 0,
    palette,
    literalBitsAt: palette?.end ?? start + DESCRIPTOR_BYTES,
  };
}

/**
 * Whether a frame has no pixels: it has no size, or no data. Browsers show what comes after it, or nothing.
 */
export const gifIsBlank = (cursor: Cursor, { width, height, literalBitsAt }: GifImage): boolean =>
  width === 0 || height === 0 || cursor.u8(literalBitsAt + 1) === 0;

/** The size of the screen; a width or height that it does not state is that of the shown frame. */
export const gifSize = (screen: GifScreen, { left, top, width, height }: GifImage) => ({
  width: screen.width || left + width,
  height: screen.height || top + height,
});

/**
 * The blocks from `from` on in order, up to the trailer, to bytes that are not a block, or to a truncated
 * block. In between it yields the work done when a pause is due, as scanners do.
 */
export function* gifBlocks(cursor: Cursor, from: number): Generator<GifBlock | number> {
  for (let start = from; start < cursor.length; ) {
    cursor.meter.work(BLOCK_WORK);
    const block = yield* gifBlockAt(cursor, start);
    yield block;
    if (block.truncated || block.end === start || block.introducer === Introducer.trailer) return;
    start = block.end;
  }
}

function* gifBlockAt(cursor: Cursor, start: number): Generator<number, GifBlock> {
  const introducer = cursor.u8(start);
  if (introducer === Introducer.trailer || introducer === 0) {
    return { introducer, start, end: start + 1, truncated: false };
  }
  let chain: number;
  if (introducer === Introducer.extension) chain = start + 2;
  else if (introducer === Introducer.image) {
    chain = (gifImage(cursor, start)?.literalBitsAt ?? cursor.length) + 1;
  } else return { introducer, start, end: start, truncated: false };
  const end = yield* subBlocksEnd(cursor, chain);
  return { introducer, start, end: end < 0 ? cursor.length : end, truncated: end < 0 };
}

/** The offset after the terminator of the sub-blocks at `from` (section 15), or −1 without one. */
function* subBlocksEnd(cursor: Cursor, from: number): Generator<number, number> {
  for (let at = from; ; ) {
    if (cursor.meter.isDue) yield cursor.meter.pause();
    const size = cursor.u8(at);
    if (size <= 0) return size < 0 ? -1 : at + 1;
    at += 1 + size;
  }
}

/**
 * The data of the sub-block whose length byte is at `at`, clipped to the window; the next length byte is at
 * its end. Null for the terminator and at the end of the window.
 */
export function subBlockAt(cursor: Cursor, at: number): ByteRange | null {
  const size = cursor.u8(at);
  return size <= 0 ? null : { start: at + 1, end: Math.min(at + 1 + size, cursor.length) };
}
