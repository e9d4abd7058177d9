/** Bytes to literals and matches (RFC 1951 section 4), in three ways. */
import { common, Effort, enter, foundDistance, longest } from './search';
import { BLOCK_SYMBOLS, Deflate, FIRST_POSITION, LEAST_MATCH, LONGEST_MATCH, MATCH } from './state';

/** zlib's efforts at its levels 1 and 6 (deflate.c, configuration_table) were the starting point. */
const QUICK: usize = memory.data<u32>([6, 8, 16]);
const THOROUGH: usize = memory.data<u32>([48, 8, 258]);

/** Matches of this length are taken without a look at the next position. */
const LAZY_UP_TO: u32 = LONGEST_MATCH;

/**
 * Of a long match only the positions at its start and end are entered, where it is a pattern that repeats
 * itself: even surfaces, of which one position is as good as another.
 */
const ENTERED_WHOLE: u32 = 64;
const ENTERED_AT_START: u32 = 8;
const ENTERED_AT_END: u32 = 8;

// @inline
function literal(s: Deflate, position: u32): void {
  const byte = load<u8>(s.origin + <usize>position);
  store<u16>(s.tokensEnd, <u16>byte);
  s.tokensEnd += 2;
  s.symbols++;
  const count = s.literalCounts + ((<usize>byte) << 2);
  store<u32>(count, load<u32>(count) + 1);
}

// @inline
function match(s: Deflate, length: u32, distance: u32): void {
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

/** Goes on to `limit` or until a block is full; finds only repetitions of the byte before. */
export function parseRuns(s: Deflate, limit: u32): void {
  let position = s.position;
  while (position < limit && s.symbols < BLOCK_SYMBOLS) {
    const at = s.origin + <usize>position;
    const most = min(LONGEST_MATCH, s.end - position);
    const byte = <u32>load<u8>(at, 0);
    // Before the first position stand zeros that are no part of the data.
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

/** As `parseRuns`, taking the first good match. */
export function parseQuick(s: Deflate, limit: u32): void {
  const effort = changetype<Effort>(QUICK);
  let position = s.position;
  while (position < limit && s.symbols < BLOCK_SYMBOLS) {
    const length = longest(s, position, LEAST_MATCH - 1, effort);
    enter(s, position);
    if (length < LEAST_MATCH) literal(s, position++);
    else {
      match(s, length, foundDistance);
      enterInside(s, position + 1, position + length, isEven(length, foundDistance));
      position += length;
    }
  }
  s.position = position;
}

/** As `parseRuns`, with a better match one byte on before a good one. */
export function parseThorough(s: Deflate, limit: u32): void {
  const effort = changetype<Effort>(THOROUGH);
  let position = s.position;
  while (position < limit && s.symbols < BLOCK_SYMBOLS) {
    let length = longest(s, position, LEAST_MATCH - 1, effort);
    enter(s, position);
    if (length < LEAST_MATCH) {
      literal(s, position++);
      continue;
    }
    let distance = foundDistance;
    let entered = position + 1;
    while (length < LAZY_UP_TO && position + 1 < limit) {
      const next = longest(s, position + 1, length - 1, effort);
      enter(s, entered++);
      if (next < length) break;
      // A byte more is worth about four bits; a distance costs as many as it has.
      const nearer = <i32>clz(foundDistance) - <i32>clz(distance);
      if (4 * <i32>(next - length) + nearer <= 2) break;
      literal(s, position++);
      length = next;
      distance = foundDistance;
    }
    match(s, length, distance);
    enterInside(s, entered, position + length, isEven(length, distance));
    position += length;
  }
  s.position = position;
}

// @inline
function isEven(length: u32, distance: u32): bool {
  return length > ENTERED_WHOLE && distance < length;
}

/** Enters positions of a match. */
function enterInside(s: Deflate, from: u32, to: u32, isEven: bool): void {
  if (to <= from) return;
  if (isEven && to - from > ENTERED_AT_START + ENTERED_AT_END) {
    for (const end = from + ENTERED_AT_START; from < end; from++) enter(s, from);
    from = to - ENTERED_AT_END;
  }
  for (; from < to; from++) enter(s, from);
}
