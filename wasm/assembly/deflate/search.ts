/** Where bytes stood before: chains of positions by hash (RFC 1951 section 4). */
import {
  Deflate,
  FIRST_POSITION,
  HASH_BITS,
  HISTORY,
  LEAST_MATCH,
  LONGEST_MATCH,
  SHORT_HASH_BITS,
} from './state';

/**
 * How far to look: `chain` positions, only a quarter of them once `good` bytes match, none more once `nice`
 * do.
 */
@unmanaged
export class Effort {
  chain: u32;
  good: u32;
  nice: u32;
}

/**
 * Knuth's multiplicative hashing (The Art of Computer Programming, volume 3, section 6.4): 2^32 over the
 * golden ratio.
 */
const GOLDEN: u32 = 0x9e3779b1;

/** Distance of the match that `longest` found. */
export let foundDistance: u32 = 0;

// @inline
function hash(four: u32): usize {
  return <usize>((four * GOLDEN) >> (32 - HASH_BITS));
}

// @inline
function shortHash(four: u32): usize {
  return <usize>(((four << 8) * GOLDEN) >> (32 - SHORT_HASH_BITS));
}

/** Enters a position. */
// @inline
export function enter(s: Deflate, position: u32): void {
  const four = load<u32>(s.origin + <usize>position);
  const head = s.heads + (hash(four) << 2);
  const back = position - load<u32>(head);
  store<u16>(s.chains + ((<usize>(position & (HISTORY - 1))) << 1), back > HISTORY - 1 ? 0 : <u16>back);
  store<u32>(head, position);
  store<u16>(s.shortHeads + (shortHash(four) << 1), <u16>position);
}

/** How many bytes at two addresses are the same, at most `most`; reads up to 15 bytes beyond. */
// @inline
export function common(a: usize, b: usize, most: u32): u32 {
  let n: u32 = 0;
  while (n < most) {
    const same = i8x16.bitmask(i8x16.eq(v128.load(a + <usize>n), v128.load(b + <usize>n)));
    if (same !== 0xffff) return min(most, n + <u32>ctz(~same));
    n += 16;
  }
  return most;
}

/**
 * The longest match of what stands at `position`, which is not yet entered.
 * @param better only a longer one counts
 * @returns its length, or `better`; `foundDistance` tells how far back it lies
 */
export function longest(s: Deflate, position: u32, better: u32, effort: Effort): u32 {
  const most = min(LONGEST_MATCH, s.end - position);
  if (most < LEAST_MATCH || better >= most) return better;
  const here = s.origin + <usize>position;
  const four = load<u32>(here);
  if (better < LEAST_MATCH) {
    const back = (position - <u32>load<u16>(s.shortHeads + (shortHash(four) << 1))) & 0xffff;
    const reach = min(HISTORY, position - FIRST_POSITION);
    if (back - 1 < reach && (load<u32>(here - <usize>back) ^ four) << 8 === 0) {
      better = LEAST_MATCH;
      foundDistance = back;
    }
  }
  let back = position - load<u32>(s.heads + (hash(four) << 2));
  let left = better >= effort.good ? effort.chain >> 2 : effort.chain;
  while (back <= HISTORY && left-- > 0) {
    const there = here - <usize>back;
    // A longer match must agree where this one would end.
    if (
      load<u32>(there) === four &&
      (better < 4 || load<u32>(there + <usize>(better - 3)) === load<u32>(here + <usize>(better - 3)))
    ) {
      const length = common(here, there, most);
      if (length > better) {
        better = length;
        foundDistance = back;
        if (length >= effort.nice || length === most) break;
      }
    }
    const further = <u32>load<u16>(s.chains + ((<usize>((position - back) & (HISTORY - 1))) << 1));
    if (further === 0) break;
    back += further;
  }
  return better;
}
