import { alloc } from '../memory';
import { adler32 } from './adler';
import { copyMatch } from './copy';
import { STEP_CORRUPT, STEP_DONE, STEP_NEEDS_INPUT, headerStep, topUp } from './header';
import { END_OF_BLOCK, LINK, LITERAL, SPECIAL } from './huffman';
import {
  HISTORY,
  INPUT_BYTES,
  Inflate,
  PHASE_BLOCK_HEADER,
  PHASE_CHECKSUM,
  PHASE_CORRUPT,
  PHASE_END,
  PHASE_STORED,
  PHASE_SYMBOLS,
  RUN_CORRUPT,
  RUN_END,
  RUN_FULL,
  RUN_NEEDS_INPUT,
  STATE_BYTES,
  WINDOW_LIMIT,
  moveBy,
  place,
} from './state';

/**
 * Makes an inflate stream of RFC 1951 data, `wrapped` = 1 for RFC 1950 around it.
 * @returns its address, or 0 when there is no memory
 */
export function inflateOpen(wrapped: u32): usize {
  const at = alloc(STATE_BYTES);
  if (at != 0) place(at, wrapped);
  return at;
}

/** Where the host writes at most `inflateInputBytes()` of the next input, whenever a run asked for it. */
export function inflateInput(at: usize): usize {
  return changetype<Inflate>(at).input;
}

/** Memory that one stream takes. */
export function inflateBytes(): usize {
  return STATE_BYTES;
}

export function inflateInputBytes(): usize {
  return INPUT_BYTES;
}

/** Tells that `length` bytes of input stand ready. Only after RUN_NEEDS_INPUT: what was there before is used up. */
export function inflateFeed(at: usize, length: usize): void {
  const s = changetype<Inflate>(at);
  s.next = s.input;
  s.inputEnd = s.input + length;
}

/** Address of output that is made and not yet taken. */
export function inflateOutput(at: usize): usize {
  return changetype<Inflate>(at).taken;
}

/** How much of it there is. */
export function inflateReady(at: usize): usize {
  const s = changetype<Inflate>(at);
  return s.made - s.taken;
}

/** Marks `length` bytes of the output as taken. */
export function inflateTake(at: usize, length: usize): void {
  changetype<Inflate>(at).taken += length;
}

/** Copies up to `length` bytes of made output to `to`. @returns how many */
export function inflateCopy(at: usize, to: usize, length: usize): usize {
  const s = changetype<Inflate>(at);
  const count = min(length, s.made - s.taken);
  memory.copy(to, s.taken, count);
  s.taken += count;
  return count;
}

/**
 * Inflates until the window is full, the input used up, the stream at its end, or found corrupt. Output made before a
 * fault stands ready like any other.
 * @returns RUN_FULL, RUN_NEEDS_INPUT, RUN_END or RUN_CORRUPT
 */
export function inflateRun(at: usize): i32 {
  const s = changetype<Inflate>(at);
  makeRoom(s);
  while (true) {
    let step = STEP_DONE;
    if (s.phase == PHASE_SYMBOLS) {
      const limit = s.window + WINDOW_LIMIT;
      if (s.made >= limit) return finish(s, RUN_FULL);
      step = fastSymbols(s);
      if (step == STEP_DONE && s.phase == PHASE_SYMBOLS && s.made < limit) step = carefulSymbol(s);
    } else if (s.phase == PHASE_STORED) {
      if (s.storedLeft > 0 && s.made >= s.window + WINDOW_LIMIT) return finish(s, RUN_FULL);
      step = stored(s);
    } else if (s.phase == PHASE_END) {
      return finish(s, RUN_END);
    } else if (s.phase == PHASE_CORRUPT) {
      return finish(s, RUN_CORRUPT);
    } else {
      if (s.phase == PHASE_CHECKSUM) sumUp(s);
      step = headerStep(s);
    }
    if (step == STEP_NEEDS_INPUT) return finish(s, RUN_NEEDS_INPUT);
    if (step == STEP_CORRUPT) s.phase = PHASE_CORRUPT;
  }
}

/** Moves what must stay (history and output not yet taken) to the window's start, once the window is nearly full. */
function makeRoom(s: Inflate): void {
  if (s.made < s.window + WINDOW_LIMIT) return;
  const from = min(s.taken, s.made - HISTORY);
  const moved = from - s.window;
  if (moved == 0) return;
  memory.copy(s.window, from, s.made - from);
  s.made -= moved;
  s.taken -= moved;
  s.summed -= moved;
}

function finish(s: Inflate, result: i32): i32 {
  sumUp(s);
  return result;
}

function sumUp(s: Inflate): void {
  if (s.wrapped) s.adler = adler32(s.adler, s.summed, s.made - s.summed);
  s.summed = s.made;
}

function stored(s: Inflate): i32 {
  const room = s.window + WINDOW_LIMIT - s.made;
  let left = min<usize>(s.storedLeft, room);
  s.storedLeft -= <u32>left;
  // Whole bytes that are already in the bit buffer come first.
  while (left > 0 && s.count >= 8) {
    store<u8>(s.made++, <u8>s.bits);
    s.bits >>= 8;
    s.count -= 8;
    left--;
  }
  const direct = min(left, s.inputEnd - s.next);
  if (direct > 0) {
    // What the bit buffer holds beyond `count` is of bytes that are now passed by.
    s.bits = 0;
    memory.copy(s.made, s.next, direct);
    s.made += direct;
    s.next += direct;
    left -= direct;
  }
  s.storedLeft += <u32>left;
  if (left > 0) return STEP_NEEDS_INPUT;
  if (s.storedLeft == 0) s.phase = PHASE_BLOCK_HEADER;
  return STEP_DONE;
}

/** Decodes symbols while 8 bytes of input and room for the longest match are certain. */
function fastSymbols(s: Inflate): i32 {
  if (s.inputEnd < s.input + 16) return STEP_DONE;
  const inputLimit = s.inputEnd - 16;
  const outputLimit = s.window + WINDOW_LIMIT;
  const window = s.window;
  const literals = s.literalTable;
  const distances = s.distanceTable;
  const literalMask: u32 = (1 << s.literalBits) - 1;
  const distanceMask: u32 = (1 << s.distanceBits) - 1;
  let bits = s.bits;
  let count: u32 = s.count;
  let next = s.next;
  let out = s.made;
  let result = STEP_DONE;

  while (next <= inputLimit && out < outputLimit) {
    bits |= load<u64>(next) << count;
    next += (63 - count) >> 3;
    count |= 56;
    let entry = load<u32>(literals + ((<u32>bits & literalMask) << 2));
    // Literals of at most 11 bits: four fit in the 56 bits at hand.
    if (entry & LITERAL) {
      bits >>= <u64>entry;
      count -= entry & 0xff;
      store<u8>(out++, <u8>(entry >> 16));
      entry = load<u32>(literals + ((<u32>bits & literalMask) << 2));
      if (entry & LITERAL) {
        bits >>= <u64>entry;
        count -= entry & 0xff;
        store<u8>(out++, <u8>(entry >> 16));
        entry = load<u32>(literals + ((<u32>bits & literalMask) << 2));
        if (entry & LITERAL) {
          bits >>= <u64>entry;
          count -= entry & 0xff;
          store<u8>(out++, <u8>(entry >> 16));
          entry = load<u32>(literals + ((<u32>bits & literalMask) << 2));
          if (entry & LITERAL) {
            bits >>= <u64>entry;
            count -= entry & 0xff;
            store<u8>(out++, <u8>(entry >> 16));
            continue;
          }
        }
      }
      // A length and its distance take up to 48 bits.
      bits |= load<u64>(next) << count;
      next += (63 - count) >> 3;
      count |= 56;
    }
    if (entry & SPECIAL) {
      if (entry & LINK) {
        const inner = (<u32>(bits >> s.literalBits)) & ((1 << ((entry >> 8) & 31)) - 1);
        entry = load<u32>(literals + (((entry >> 16) + inner) << 2));
        if (entry & LITERAL) {
          bits >>= <u64>entry;
          count -= entry & 0xff;
          store<u8>(out++, <u8>(entry >> 16));
          continue;
        }
      }
      if (entry & SPECIAL) {
        if (entry & END_OF_BLOCK) {
          bits >>= <u64>entry;
          count -= entry & 0xff;
          s.phase = PHASE_BLOCK_HEADER;
        } else {
          result = STEP_CORRUPT;
        }
        break;
      }
    }
    const length =
      (entry >> 16) + (<u32>(bits & (((<u64>1) << (<u64>entry)) - 1)) >> ((entry >> 8) & 31));
    bits >>= <u64>entry;
    count -= entry & 0xff;
    entry = load<u32>(distances + ((<u32>bits & distanceMask) << 2));
    if (entry & SPECIAL) {
      if (entry & LINK) {
        const inner = (<u32>(bits >> s.distanceBits)) & ((1 << ((entry >> 8) & 31)) - 1);
        entry = load<u32>(distances + (((entry >> 16) + inner) << 2));
      }
      if (entry & SPECIAL) {
        result = STEP_CORRUPT;
        break;
      }
    }
    const distance =
      (entry >> 16) + (<u32>(bits & (((<u64>1) << (<u64>entry)) - 1)) >> ((entry >> 8) & 31));
    bits >>= <u64>entry;
    count -= entry & 0xff;
    if (distance > <u32>(out - window)) {
      result = STEP_CORRUPT;
      break;
    }
    copyMatch(out, distance, length);
    out += length;
  }
  s.bits = bits;
  s.count = count;
  s.next = next;
  s.made = out;
  return result;
}

/** Decodes one literal or match near the input's end; consumes nothing when it is not wholly there. */
function carefulSymbol(s: Inflate): i32 {
  topUp(s);
  let bits = s.bits;
  let count = s.count;
  let entry = load<u32>(s.literalTable + ((<u32>bits & ((1 << s.literalBits) - 1)) << 2));
  if (entry & SPECIAL && entry & LINK) {
    const inner = (<u32>(bits >> s.literalBits)) & ((1 << ((entry >> 8) & 31)) - 1);
    entry = load<u32>(s.literalTable + (((entry >> 16) + inner) << 2));
  }
  if (count < (entry & 0xff)) return STEP_NEEDS_INPUT;
  if (entry & LITERAL) {
    store<u8>(s.made++, <u8>(entry >> 16));
    s.bits = bits >> <u64>entry;
    s.count = count - (entry & 0xff);
    return STEP_DONE;
  }
  if (entry & SPECIAL) {
    if (!(entry & END_OF_BLOCK)) return count > 0 ? STEP_CORRUPT : STEP_NEEDS_INPUT;
    s.bits = bits >> <u64>entry;
    s.count = count - (entry & 0xff);
    s.phase = PHASE_BLOCK_HEADER;
    return STEP_DONE;
  }
  const length =
    (entry >> 16) + (<u32>(bits & (((<u64>1) << (<u64>entry)) - 1)) >> ((entry >> 8) & 31));
  bits >>= <u64>entry;
  count -= entry & 0xff;
  entry = load<u32>(s.distanceTable + ((<u32>bits & ((1 << s.distanceBits) - 1)) << 2));
  if (entry & SPECIAL && entry & LINK) {
    const inner = (<u32>(bits >> s.distanceBits)) & ((1 << ((entry >> 8) & 31)) - 1);
    entry = load<u32>(s.distanceTable + (((entry >> 16) + inner) << 2));
  }
  if (count < (entry & 0xff)) return STEP_NEEDS_INPUT;
  if (entry & SPECIAL) return count > 0 ? STEP_CORRUPT : STEP_NEEDS_INPUT;
  const distance =
    (entry >> 16) + (<u32>(bits & (((<u64>1) << (<u64>entry)) - 1)) >> ((entry >> 8) & 31));
  if (distance > <u32>(s.made - s.window)) return STEP_CORRUPT;
  copyMatch(s.made, distance, length);
  s.made += length;
  s.bits = bits >> <u64>entry;
  s.count = count - (entry & 0xff);
  return STEP_DONE;
}

/** A second stream that goes on from where this one is, on its own. @returns its address, or 0 when there is no memory */
export function inflateClone(at: usize): usize {
  const copy = alloc(STATE_BYTES);
  if (copy == 0) return 0;
  memory.copy(copy, at, STATE_BYTES);
  moveBy(changetype<Inflate>(copy), copy - at);
  return copy;
}
