import { ROW_SLACK } from '../../core/constants.ts';
import { type Core, createCore } from '../../core/instance.ts';
import { Scratch } from '../../core/scratch.ts';
import { heldBytesFor } from '../../core/sizes.ts';
import { decodingFault } from '../../faults.ts';
import { bytesOf } from '../../memory/image_file.ts';
import type { MemoryCost } from '../../memory/memory_cost.ts';
import type { FileFacts } from '../../metadata/facts.ts';
import { uninterrupted } from '../../scheduling/time_slice.ts';
import { rowsOfStrip } from '../../scheduling/work.ts';
import { LZW_STATE_BYTES } from '../lzw/reader.ts';
import type { DecodedRaster, Decoder, Size, Strip, Work } from '../types.ts';
import { walked } from '../walked.ts';
import { type GifFrame, readFirstFrame } from './frame.ts';
import { INTERLACE_READERS, type IndexRows, indexRows } from './rows.ts';

/** A frame is at most this wide (16 bits), whatever the screen's width. */
const MAX_FRAME_WIDTH = 0xffff;
/** Palettes, readers' fields and other small things. */
const FIXED_BYTES = 8 * 1024;

/**
 * GIF87a and GIF89a, the first frame that has pixels, placed on the screen. What the frame leaves uncovered
 * or marks transparent is transparent black, as in browsers. An index outside the palette is black; a file
 * without any palette has black and white, as in libnsgif.
 */
export const gifDecoder: Decoder = {
  format: 'gif',
  reading: { pixelTime: 20, pixelWork: () => 1, lossless: true },

  cost(facts: FileFacts): MemoryCost {
    const readers = facts.progressive ? INTERLACE_READERS : 1;
    return {
      inCores: heldBytesFor([stripBytes(facts)]),
      // Two rows of indices (one for finding where the passes begin), and one more reader while one is
      // cloned.
      elsewhere: 2 * MAX_FRAME_WIDTH + (readers + 1) * LZW_STATE_BYTES + FIXED_BYTES,
    };
  },

  async open(file, facts, { reserveBytes = 0 }, slice = uninterrupted) {
    const bytes = bytesOf(file);
    const frame = await walked(readFirstFrame(bytes), slice);
    const { screenWidth: width, screenHeight: height } = frame;
    if (facts.width !== width || facts.height !== height) {
      throw decodingFault(
        `The GIF is ${width} × ${height} pixels where ${facts.width} × ${facts.height} were announced`,
      );
    }
    return new GifRaster(bytes, frame, createCore(stripBytes(facts) + reserveBytes));
  },
};

const stripBytes = ({ width, height }: Size) => rowsOfStrip(width, height) * width * 4 + ROW_SLACK;

class GifRaster implements DecodedRaster {
  readonly core: Core;
  readonly width: number;
  readonly height: number;
  readonly opaque: boolean;
  readonly grey: boolean;
  #bytes: Uint8Array;
  readonly #frame: GifFrame;
  /** RGBA of each index, one pixel a word. */
  readonly #colours: Uint32Array;

  constructor(bytes: Uint8Array, frame: GifFrame, core: Core) {
    this.core = core;
    this.#bytes = bytes;
    this.#frame = frame;
    this.width = frame.screenWidth;
    this.height = frame.screenHeight;
    const covered =
      frame.left === 0 && frame.top === 0 && frame.width >= this.width && frame.height >= this.height;
    this.opaque = covered && !frame.blank && frame.transparentIndex < 0;
    const rgba = colourTable(frame);
    this.#colours = new Uint32Array(rgba.buffer);
    this.grey = rgba.every((value, at) => at % 4 === 3 || value === rgba[at & ~3]);
  }

  [Symbol.dispose](): void {
    this.#bytes = new Uint8Array(0);
    this.core[Symbol.dispose]();
  }

  *strips(): Generator<Strip | Work> {
    const { width, height } = this;
    const frame = this.#frame;
    const rowsAtMost = rowsOfStrip(width, height);
    using scratch = new Scratch(this.core, [stripBytes(this)]);
    const indices = new Uint8Array(frame.width);
    const shown = Math.max(0, Math.min(frame.width, width - frame.left));
    const colours = this.#colours;
    let source: IndexRows | undefined;

    for (let y = 0; y < height; y += rowsAtMost) {
      const rows = Math.min(rowsAtMost, height - y);
      const pixels = this.core.view(scratch.places[0]!, rows * width * 4);
      const words = new Uint32Array(pixels.buffer, pixels.byteOffset, rows * width);
      if (!this.opaque) words.fill(0);
      for (let row = 0; row < rows; row++) {
        const frameY = y + row - frame.top;
        if (frame.blank || frameY < 0 || frameY >= frame.height || shown === 0) continue;
        source ??= yield* indexRows(this.#bytes, frame, new Uint8Array(frame.width));
        source.next(indices);
        const to = row * width + frame.left;
        for (let x = 0; x < shown; x++) words[to + x] = colours[indices[x]!]!;
      }
      yield { y, rows, pixels };
    }
  }
}

/** RGBA of the 256 possible indices. */
function colourTable(frame: GifFrame): Uint8Array {
  const { palette } = frame;
  const rgba = new Uint8Array(256 * 4);
  for (let index = 0; index < 256; index++) rgba[index * 4 + 3] = 255;
  for (let entry = 0; entry * 3 < palette.length; entry++) {
    rgba.set(palette.subarray(entry * 3, entry * 3 + 3), entry * 4);
  }
  if (palette.length === 0) rgba.fill(255, 4, 8);
  if (frame.transparentIndex >= 0) rgba.fill(0, frame.transparentIndex * 4, frame.transparentIndex * 4 + 4);
  return rgba;
}
