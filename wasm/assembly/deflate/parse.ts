/** Parses bytes into literals and matches greedily (RFC 1951 section 4), without looking ahead. */
import { backOf, common, enterChained, sameOf16, slotOf } from './nearest';
import { Deflate, FIRST_POSITION, HISTORY, LEAST_MATCH, LONGEST_MATCH, MATCH } from './state';

// @inline
export function literal(s: Deflate, position: u32): void {
  const byte = load<u8>(s.origin + <usize>position);
  store<u16>(s.tokensEnd, <u16>byte);
  s.tokensEnd += 2;
  s.symbols++;
  const count = s.literalCounts + ((<usize>byte) << 2);
  store<u32>(count, load<u32>(count) + 1);
}

// @inline
export function match(s: Deflate, length: u32, distance: u32): void {
  store<u32>(s.tokensEnd, (MATCH + length - LEAST_MATCH) | ((distance - 1) << 16));
  s.tokensEnd += 4;
  s.symbols++;
  const literals = s.literalCounts + ((<usize>(257 + lengthSymbol(length - LEAST_MATCH))) << 2);
  store<u32>(literals, load<u32>(literals) + 1);
  const distances = s.distanceCounts + ((<usize>distanceSymbol(distance - 1)) << 2);
  store<u32>(distances, load<u32>(distances) + 1);
}

/** RFC 1951 section 3.2.5: the symbol, less 257, of a length less 3. */
// @inline
export function lengthSymbol(length: u32): u32 {
  if (length < 8) return length;
  if (length === LONGEST_MATCH - LEAST_MATCH) return 28;
  const top = 31 - <u32>clz(length);
  return ((top - 1) << 2) + ((length >> (top - 2)) & 3);
}

/** RFC 1951 section 3.2.5: the symbol of a distance less 1. */
// @inline
export function distanceSymbol(distance: u32): u32 {
  if (distance < 4) return distance;
  const top = 31 - <u32>clz(distance);
  return (top << 1) + ((distance >> (top - 1)) & 1);
}

/** Parses up to `limit` or until a chunk is full; finds only repetitions of the last byte. */
export function parseRuns(s: Deflate, limit: u32): void {
  let position = s.position;
  while (position < limit && s.symbols < s.chunkEnd) {
    const at = s.origin + <usize>position;
    const most = min(LONGEST_MATCH, s.end - position);
    const byte = <u32>load<u8>(at, 0);
    // The zeros before the first position are not part of the data.
    const repeats = load<u32>(at - 1) === byte * 0x01010101 && position !== FIRST_POSITION;
    if (repeats && most >= LEAST_MATCH) {
      const length = common(at, at - 1, most);
      match(s, length, 1);
      position += length;
    } else {
      literal(s, position++);
    }
  }
  s.position = position;
}

/** Enters positions into four tables, by the hashes of 3, 4, 5 and 8 bytes. */
// @inline
function enter(s: Deflate, from: u32, to: u32): void {
  for (; from < to; from++) {
    const bytes = load<u64>(s.origin + <usize>from);
    store<u16>(slotOf(s, 0, bytes, 3), <u16>from);
    store<u16>(slotOf(s, 1, bytes, 4), <u16>from);
    store<u16>(slotOf(s, 2, bytes, 5), <u16>from);
    enterChained(s, slotOf(s, 3, bytes, 8), from);
  }
}

/** As `parseRuns`, but takes the longest of the nearest matches. */
export function parseQuick(s: Deflate, limit: u32): void {
  let position = s.position;
  while (position < limit && s.symbols < s.chunkEnd) {
    const here = s.origin + <usize>position;
    const bytes = load<u64>(here);
    const most = min(LONGEST_MATCH, s.end - position);
    const reach = min(HISTORY, position - FIRST_POSITION);
    const now = v128.load(here);
    const backA = backOf(slotOf(s, 0, bytes, 3), position, reach);
    const backB = backOf(slotOf(s, 1, bytes, 4), position, reach);
    const backC = backOf(slotOf(s, 2, bytes, 5), position, reach);
    const backD = backOf(slotOf(s, 3, bytes, 8), position, reach);
    const lengthB = sameOf16(here, now, backB);
    const lengthC = sameOf16(here, now, backC);
    const lengthD = sameOf16(here, now, backD);
    let distance = backA;
    let length = sameOf16(here, now, backA);
    distance = lengthB > length ? backB : distance;
    length = max(length, lengthB);
    distance = lengthC > length ? backC : distance;
    length = max(length, lengthC);
    distance = lengthD > length ? backD : distance;
    length = max(length, lengthD);
    length = length < 16 ? min(length, most) : common(here, here - <usize>distance, most);
    if (length < LEAST_MATCH) {
      enter(s, position, position + 1);
      literal(s, position++);
    } else {
      match(s, length, distance);
      enter(s, position, position + length);
      position += length;
    }
  }
  s.position = position;
}
