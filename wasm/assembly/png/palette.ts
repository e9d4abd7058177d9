/** RGBA rows to indices into a palette that is made on the way (ISO/IEC 15948 section 11.2.3). */

import { PALETTE_COLOURS, PALETTE_SLOTS, PALETTE_TAKEN } from './constants';

/** Most entries of a palette (ISO/IEC 15948 section 11.2.3). */
const MOST: u32 = 256;

/**
 * A palette being made: how many colours it has (u32); the step of grey levels (u32); 8 bytes unused; 256
 * colours (RGBA); a byte for each, not 0 where it is taken; slots of a hash table with open addressing,
 * four times as many as colours: colour, then index + 1 (0: free).
 */
const TAKEN: usize = PALETTE_TAKEN;
const SLOTS: usize = PALETTE_SLOTS;
const SLOT_BITS: u32 = 10;
const SLOT_MASK: u32 = (1 << SLOT_BITS) - 1;

/**
 * Knuth's multiplicative hashing (The Art of Computer Programming, volume 3, section 6.4): 2^32 over the
 * golden ratio.
 */
const GOLDEN: u32 = 0x9e3779b1;

/** Bytes of a palette; all zero when empty. */
export function pngPaletteBytes(): usize {
  return SLOTS + ((<usize>1) << SLOT_BITS) * 8;
}

/**
 * Writes an index a pixel. What was written of a row that does not fit is to be thrown away.
 * @param most colours that the palette may have
 * @returns 0, or 1 when the palette is full and another colour comes
 */
export function pngIndex(rgba: usize, out: usize, width: usize, palette: usize, most: u32): i32 {
  const end = out + width;
  while (out < end) {
    const colour = load<u32>(rgba);
    const at = slotOf(palette, (colour * GOLDEN) >> (32 - SLOT_BITS));
    // A free slot has 0, of which the index is none.
    let index = load<u32>(at, 4) - 1;
    if (load<u32>(at) !== colour || index >= MOST) {
      index = indexOf(colour, palette, most);
      if (index === MOST) return 1;
    }
    store<u8>(out++, <u8>index);
    rgba += 4;
    if (out + 4 > end || load<u32>(rgba) !== colour) continue;
    // Even surfaces: four pixels at a time.
    const same = i32x4.splat(<i32>colour);
    while (out + 4 <= end && i32x4.all_true(i32x4.eq(v128.load(rgba), same))) {
      store<u32>(out, index * 0x01010101);
      out += 4;
      rgba += 16;
    }
  }
  return 0;
}

// @inline
function slotOf(palette: usize, slot: u32): usize {
  return palette + SLOTS + ((<usize>slot) << 3);
}

/** The colour's index, entered where it is new; MOST when the palette is full. */
function indexOf(colour: u32, palette: usize, most: u32): u32 {
  let slot = (colour * GOLDEN) >> (32 - SLOT_BITS);
  // At most 256 of 1024 slots are taken, so a free one comes before all have been looked at.
  for (let looked: u32 = 0; looked <= SLOT_MASK; looked++) {
    const at = slotOf(palette, slot);
    const entry = load<u32>(at, 4);
    if (entry === 0) {
      const count = load<u32>(palette);
      if (count >= most) return MOST;
      const index = freeIndex(colour, palette);
      store<u32>(at, colour);
      store<u32>(at, index + 1, 4);
      store<u32>(palette + PALETTE_COLOURS + ((<usize>index) << 2), colour);
      store<u8>(palette + TAKEN + <usize>index, 1);
      store<u32>(palette, count + 1);
      return index;
    }
    if (load<u32>(at) === colour) return entry - 1;
    slot = (slot + 1) & SLOT_MASK;
  }
  return MOST;
}

/** An index that no colour has: a grey's own level where greys have theirs, else the first. */
function freeIndex(colour: u32, palette: usize): u32 {
  const step = load<u32>(palette, 4);
  const level = colour & 255;
  if (step > 0 && colour === (0xff000000 | (level * 0x010101)) && level % step === 0) {
    const own = level / step;
    if (load<u8>(palette + TAKEN + <usize>own) === 0) return own;
  }
  let index: u32 = 0;
  while (load<u8>(palette + TAKEN + <usize>index) !== 0) index++;
  return index;
}
