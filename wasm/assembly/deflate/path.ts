/** Shortest paths through a segment (cheapest.ts, residuals.ts). */
import { countLiteral, countMatch } from './parse';
import { distancePrice, lengthPrices } from './prices';
import { Deflate, LEAST_MATCH, LONGEST_MATCH, NODES_AT_ONCE, SEGMENT } from './state';

/** A node (u64): cost of the path to it << 32 | its last edge's distance, 0 for literals, << 9 | length. */
export const NO_WAY: u64 = 0x7fffffff00000000;

/**
 * A node is skipped if the next one costs at most this much more: any match from here, except the shortest,
 * can begin there with one byte less.
 */
export const HARDLY_DEARER: u32 = 8;

/** The nodes beyond a segment's last byte at which it may end. */
const LAST_NODES: u32 = 12;

/** An edge of a match from a node of that cost, without the price of its length. */
// @inline
export function edgeOf(prices: usize, cost: u32, back: u32): u64 {
  return ((<u64>(cost + distancePrice(prices, back))) << 32) | (back << 9);
}

/** Clears the nodes behind those that are. @returns the last one that is clear now */
// @inline
export function clearNodes(nodes: usize, cleared: u32): u32 {
  memory.fill(nodes + ((<usize>cleared + 1) << 3), 0x7f, NODES_AT_ONCE << 3);
  return cleared + NODES_AT_ONCE;
}

/** Offers edges that lead to two neighbouring nodes. */
// @inline
export function offerPair(to: usize, ways: v128): void {
  const others = v128.load(to);
  v128.store(to, v128.bitselect(ways, others, i64x2.lt_s(ways, others)));
}

/** Offers edges of the lengths `next` to `longest`, two at a time. @returns the length after the last one */
export function offer(prices: usize, node: usize, edge: u64, next: u32, longest: u32): u32 {
  if (next > longest) return next;
  let at = lengthPrices(prices) + ((<usize>(next - LEAST_MATCH)) << 2);
  let to = node + ((<usize>next) << 3);
  let ways = i64x2.add(i64x2.splat(edge), i64x2(next, next + 1));
  const by = i64x2.splat(2);
  for (; next < longest; next += 2) {
    const price = i64x2.shl(i64x2.extend_low_i32x4_u(v128.load64_zero(at)), 32);
    offerPair(to, i64x2.add(ways, price));
    ways = i64x2.add(ways, by);
    at += 8;
    to += 16;
  }
  if (next > longest) return next;
  const way = <u64>i64x2.extract_lane(ways, 0) + ((<u64>load<u32>(at)) << 32);
  const other = load<u64>(to);
  store<u64>(to, way < other ? way : other);
  return next + 1;
}

/**
 * The node at which a segment ends: `at`, or one beyond that a match leads to, if its bytes are cheaper than
 * they are in the mean.
 */
export function lastNode(s: Deflate, at: u32): u32 {
  const costs = s.nodes + 4;
  const cost = load<u32>(costs + ((<usize>at) << 3));
  const mean = cost / at;
  let best = at;
  let least = <i32>cost;
  for (let beyond: u32 = 1; beyond <= LAST_NODES; beyond++) {
    const other = <i32>load<u32>(costs + ((<usize>(at + beyond)) << 3)) - <i32>(beyond * mean);
    if (other < least) {
      least = other;
      best = at + beyond;
    }
  }
  return best;
}

/** Tokens of a segment, written from the end (state.ts has their form). */
const tokens = memory.data(<i32>(SEGMENT + LONGEST_MATCH) * 2, 4);
const tokensEnd = tokens + ((<usize>SEGMENT + LONGEST_MATCH) << 1);

/** Emits the literals and matches of the cheapest path to a node. */
export function writeWay(s: Deflate, start: u32, end: u32): void {
  // Each node stores the edge that led to it, so the way is found from its end.
  let to = tokensEnd;
  let symbols: u32 = 0;
  const bytes = s.origin + <usize>start;
  for (let at = <i32>end; at > 0; ) {
    const edge = load<u32>(s.nodes + ((<usize>at) << 3));
    const length = edge & 511;
    const back = edge >> 9;
    at -= length;
    if (back > 0) {
      to -= 4;
      symbols++;
      store<u32>(to, countMatch(s, length, back));
      continue;
    }
    for (let i = <i32>length - 1; i >= 0; i--) {
      to -= 2;
      symbols++;
      store<u16>(to, <u16>countLiteral(s, load<u8>(bytes + <usize>(at + i))));
    }
  }
  memory.copy(s.tokensEnd, to, tokensEnd - to);
  s.tokensEnd += tokensEnd - to;
  s.symbols += symbols;
}
