import {
  PALETTE_COLOURS,
  PALETTE_SLOTS,
  PALETTE_STEP,
  PALETTE_TABLE_SLOTS,
  PALETTE_TAKEN,
} from '../../core/constants.ts';
import type { Core } from '../../core/instance.ts';
import { coreConstant } from '../../core/sizes.ts';

/** Bits of a sample that is an index. */
export type IndexDepth = 1 | 2 | 4 | 8;

/** The most colours of a palette (ISO/IEC 15948 section 11.2.3). */
export const MOST_COLOURS = 256;

/** The fewest bits of an index into this many colours. */
export const indexDepth = (colours: number): IndexDepth =>
  colours > 16 ? 8 : colours > 4 ? 4 : colours > 2 ? 2 : 1;

/** Bytes of core memory that `Indices` take, exactly. */
export const indicesBytes = coreConstant((exports) => exports.pngPaletteBytes());

/** The meaning of the indices, after all rows. */
export interface IndexMeaning {
  /** RGBA by index; unused entries are opaque black. */
  readonly palette: Uint8Array;
  /** Every index is a grey level of its depth, so no palette is needed. */
  readonly grey: boolean;
}

/** The colours so far and the index of each: at first in their order, then as `arrange` decides. */
export class Indices {
  readonly #core: Core;
  readonly #at: number;
  /** The most colours that there is room for. */
  #most = MOST_COLOURS;
  #depth: IndexDepth = 8;

  /** @param at address of `indicesBytes` reserved bytes in the core, a multiple of 16 */
  constructor(core: Core, at: number) {
    this.#core = core;
    this.#at = at;
    core.view(at, indicesBytes()).fill(0);
  }

  get depth(): IndexDepth {
    return this.#depth;
  }

  get count(): number {
    return this.#words(0, 1)[0]!;
  }

  /** Writes the indices of a row of RGBA. @returns false if it has a colour too many */
  write(rgba: number, out: number, width: number): boolean {
    return this.#core.exports.pngIndex(rgba, out, width, this.#at, this.#most) === 0;
  }

  /**
   * As `write`, after a colour too many, to count all colours. The indices that it writes are meaningless.
   * @returns false if not even indices of eight bits have room for the row's colours
   */
  look(rgba: number, out: number, width: number): boolean {
    this.#words(PALETTE_STEP, 1)[0] = 0;
    this.#most = MOST_COLOURS;
    return this.write(rgba, out, width);
  }

  /** A copy of the colours so far, after `arrange`: RGBA, in no order. */
  met(): Uint8Array {
    const taken = this.#taken();
    const colours = this.#words(PALETTE_COLOURS, MOST_COLOURS);
    return new Uint8Array(colours.filter((_, i) => taken[i] !== 0).buffer);
  }

  /** A copy of the colours so far, before `arrange`: RGBA, in the order of their indices. */
  colours(): Uint8Array<ArrayBuffer> {
    return this.#core.view(this.#at + PALETTE_COLOURS, this.count * 4).slice();
  }

  /**
   * Gives every colour its final index, in the fewest bits. If all colours are greys of that depth, an index
   * is the grey's level. Otherwise translucent colours come first, the rest by lightness, which filters gain
   * from. From now on the number of colours is limited to those bits; new greys get their level as index if
   * it is free.
   * @param colours the fewest that there has to be room for
   * @returns the new index of each old one
   */
  arrange(colours: number): Uint8Array {
    const count = this.count;
    this.#depth = indexDepth(Math.max(count, colours));
    this.#most = 1 << this.#depth;
    const met = this.#words(PALETTE_COLOURS, count).slice();
    const step = 255 / (this.#most - 1);
    const areLevels = met.every((colour) => isLevel(colour, step));
    const order = Array.from(met.keys()).sort((a, b) => lightness(met[a]!) - lightness(met[b]!));
    const index = new Uint8Array(MOST_COLOURS);
    order.forEach((i, rank) => {
      index[i] = areLevels ? (met[i]! & 255) / step : rank;
    });
    this.#words(PALETTE_STEP, 1)[0] = areLevels ? step : 0;
    this.#words(PALETTE_COLOURS, MOST_COLOURS).fill(0);
    const [palette, taken] = [this.#words(PALETTE_COLOURS, MOST_COLOURS), this.#taken().fill(0)];
    met.forEach((colour, i) => {
      palette[index[i]!] = colour;
      taken[index[i]!] = 1;
    });
    const table = this.#words(PALETTE_SLOTS, PALETTE_TABLE_SLOTS * 2);
    for (let slot = 1; slot < table.length; slot += 2)
      if (table[slot]! > 0) table[slot] = index[table[slot]! - 1]! + 1;
    return index;
  }

  meaning(): IndexMeaning {
    const taken = this.#taken();
    const colours = this.#words(PALETTE_COLOURS, taken.lastIndexOf(1) + 1).slice();
    const step = 255 / ((1 << this.#depth) - 1);
    const grey = colours.every(
      (colour, i) => taken[i] === 0 || (isLevel(colour, step) && (colour & 255) === i * step),
    );
    const palette = colours.map((colour, i) => (taken[i] === 0 ? 0xff000000 : colour));
    return { palette: new Uint8Array(palette.buffer), grey };
  }

  #taken(): Uint8Array {
    return this.#core.view(this.#at + PALETTE_TAKEN, MOST_COLOURS);
  }

  #words(offset: number, count: number): Uint32Array<ArrayBuffer> {
    return new Uint32Array(this.#core.exports.memory.buffer, this.#at + offset, count);
  }
}

/** Whether a colour is an opaque grey whose level is a multiple of `step`. */
const isLevel = (colour: number, step: number) =>
  colour === (0xff000000 | ((colour & 255) * 0x010101)) >>> 0 && (colour & 255) % step === 0;

/** Sort key: translucent colours before all others, then by luma (ITU-R BT.601), in thousandths. */
const lightness = (colour: number) =>
  (colour >>> 24 === 255 ? 1 << 20 : 0) +
  (colour & 255) * 299 +
  ((colour >> 8) & 255) * 587 +
  ((colour >> 16) & 255) * 114;
