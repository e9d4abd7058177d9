import { copyMatch } from './copy';
import { STEP_CORRUPT, STEP_DONE, STEP_NEEDS_INPUT, topUp } from './header';
import { END_OF_BLOCK, LINK, LITERAL, SPECIAL } from './huffman';
import { Inflate, PHASE_BLOCK_HEADER, WINDOW_LIMIT } from './state';

/** Copies what a stored block holds (RFC 1951 section 3.2.4), as far as input and window allow. */
export function stored(s: Inflate): i32 {
  const space = s.window + WINDOW_LIMIT - s.produced;
  let left = min<usize>(s.storedLeft, space);
  s.storedLeft -= <u32>left;
  // Whole bytes that are already in the bit buffer come first.
  while (left > 0 && s.count >= 8) {
    store<u8>(s.produced++, <u8>s.bits);
    s.bits >>= 8;
    s.count -= 8;
    left--;
  }
  const direct = min(left, s.inputEnd - s.next);
  if (direct > 0) {
    // Bits beyond `count` belong to bytes that are copied now, so they are dropped.
    s.bits = 0;
    memory.copy(s.produced, s.next, direct);
    s.produced += direct;
    s.next += direct;
    left -= direct;
  }
  s.storedLeft += <u32>left;
  if (left > 0) return STEP_NEEDS_INPUT;
  if (s.storedLeft === 0) s.phase = PHASE_BLOCK_HEADER;
  return STEP_DONE;
}

/** Decodes symbols as long as 16 bytes of input and space for the longest match are left. */
export function fastSymbols(s: Inflate): i32 {
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
  let out = s.produced;
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
        const inner = <u32>(bits >> s.literalBits) & ((1 << ((entry >> 8) & 31)) - 1);
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
    const length = (entry >> 16) + (<u32>(bits & (((<u64>1) << (<u64>entry)) - 1)) >> ((entry >> 8) & 31));
    bits >>= <u64>entry;
    count -= entry & 0xff;
    entry = load<u32>(distances + ((<u32>bits & distanceMask) << 2));
    if (entry & SPECIAL) {
      if (entry & LINK) {
        const inner = <u32>(bits >> s.distanceBits) & ((1 << ((entry >> 8) & 31)) - 1);
        entry = load<u32>(distances + (((entry >> 16) + inner) << 2));
      }
      if (entry & SPECIAL) {
        result = STEP_CORRUPT;
        break;
      }
    }
    const distance = (entry >> 16) + (<u32>(bits & (((<u64>1) << (<u64>entry)) - 1)) >> ((entry >> 8) & 31));
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
  s.produced = out;
  return result;
}

/** Decodes one literal or match near the input's end. Consumes nothing if it is incomplete. */
export function carefulSymbol(s: Inflate): i32 {
  topUp(s);
  let bits = s.bits;
  let count = s.count;
  let entry = load<u32>(s.literalTable + ((<u32>bits & ((1 << s.literalBits) - 1)) << 2));
  if (entry & SPECIAL && entry & LINK) {
    const inner = <u32>(bits >> s.literalBits) & ((1 << ((entry >> 8) & 31)) - 1);
    entry = load<u32>(s.literalTable + (((entry >> 16) + inner) << 2));
  }
  if (count < (entry & 0xff)) return STEP_NEEDS_INPUT;
  if (entry & LITERAL) {
    store<u8>(s.produced++, <u8>(entry >> 16));
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
  const length = (entry >> 16) + (<u32>(bits & (((<u64>1) << (<u64>entry)) - 1)) >> ((entry >> 8) & 31));
  bits >>= <u64>entry;
  count -= entry & 0xff;
  entry = load<u32>(s.distanceTable + ((<u32>bits & ((1 << s.distanceBits) - 1)) << 2));
  if (entry & SPECIAL && entry & LINK) {
    const inner = <u32>(bits >> s.distanceBits) & ((1 << ((entry >> 8) & 31)) - 1);
    entry = load<u32>(s.distanceTable + (((entry >> 16) + inner) << 2));
  }
  if (count < (entry & 0xff)) return STEP_NEEDS_INPUT;
  if (entry & SPECIAL) return count > 0 ? STEP_CORRUPT : STEP_NEEDS_INPUT;
  const distance = (entry >> 16) + (<u32>(bits & (((<u64>1) << (<u64>entry)) - 1)) >> ((entry >> 8) & 31));
  if (distance > <u32>(s.produced - s.window)) return STEP_CORRUPT;
  copyMatch(s.produced, distance, length);
  s.produced += length;
  s.bits = bits >> <u64>entry;
  s.count = count - (entry & 0xff);
  return STEP_DONE;
}
