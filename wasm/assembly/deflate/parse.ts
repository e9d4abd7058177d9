/** Literals and matches (RFC 1951 section 4), and the parse that finds runs alone. */
import { common } from './nearest';
import { Deflate, FIRST_POSITION, LEAST_MATCH, LONGEST_MATCH, MATCH } from './state';

/** Counts a literal. @returns its token */
// @inline
export function countLiteral(s: Deflate, byte: u32): u32 {
  const count = s.literalCounts + ((<usize>byte) << 2);
  store<u32>(count, load<u32>(count) + 1);
  return byte;
}

/** Counts a match. @returns its token */
// @inline
export function countMatch(s: Deflate, length: u32, distance: u32): u32 {
  const literals = s.literalCounts + ((<usize>(257 + lengthSymbol(length - LEAST_MATCH))) << 2);
  store<u32>(literals, load<u32>(literals) + 1);
  const distances = s.distanceCounts + ((<usize>distanceSymbol(distance - 1)) << 2);
  store<u32>(distances, load<u32>(distances) + 1);
  return (MATCH + length - LEAST_MATCH) | ((distance - 1) << 16);
}

// @inline
export function literal(s: Deflate, position: u32): void {
  store<u16>(s.tokensEnd, <u16>countLiteral(s, load<u8>(s.origin + <usize>position)));
  s.tokensEnd += 2;
  s.symbols++;
}

// @inline
export function match(s: Deflate, length: u32, distance: u32): void {
  store<u32>(s.tokensEnd, countMatch(s, length, distance));
  s.tokensEnd += 4;
  s.symbols++;
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
  s.arePriced = false;
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
