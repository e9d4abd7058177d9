/**
 * Parses filtered rows of photographs: a shortest path as in cheapest.ts, for bytes whose matches are short
 * and many. Where no match is longer than SHORT, all its edges are offered without a branch, since which of
 * them there are is as good as random.
 */
import { backOf, enter, enterInside, RESIDUALS, sameOf16, slotA, slotB, whole } from './nearest';
import { match } from './parse';
import { clearNodes, edgeOf, HARDLY_DEARER, lastNode, offer, offerPair, writeWay } from './path';
import {
  guessCountsOfResiduals,
  lengthPrices,
  literalPrice,
  refreshPrices,
  refreshPricesIfDue,
} from './prices';
import { Deflate, FIRST_POSITION, HISTORY, LEAST_MATCH, LONGEST_MATCH, SEGMENT } from './state';

/** The longest match whose edges are offered at once, with all shorter ones. */
const SHORT: u32 = 6;
/** A match of this many bytes is taken at once; at most as many as cheapest.ts has nodes for. */
const NICE: u32 = 32;

/** Added to edges of 3, 4, 5 and 6 bytes, by the length of the match: it has none longer than itself. */
// biome-ignore format: a row for each length
const excess = memory.data<u64>([
  0x3fffffff00000000, 0x3fffffff00000000, 0x3fffffff00000000, 0x3fffffff00000000,
  0x3fffffff00000000, 0x3fffffff00000000, 0x3fffffff00000000, 0x3fffffff00000000,
  0x3fffffff00000000, 0x3fffffff00000000, 0x3fffffff00000000, 0x3fffffff00000000,
  0, 0x3fffffff00000000, 0x3fffffff00000000, 0x3fffffff00000000,
  0, 0, 0x3fffffff00000000, 0x3fffffff00000000,
  0, 0, 0, 0x3fffffff00000000,
  0, 0, 0, 0,
], 16);

/** Offers edges of all lengths up to that of a match of at most SHORT bytes. */
// @inline
function offerShort(node: usize, edge: u64, prices: v128, length: u32): void {
  const missing = excess + ((<usize>length) << 5);
  const ways = i64x2.add(i64x2.splat(edge), i64x2(LEAST_MATCH, LEAST_MATCH + 1));
  const more = i64x2.add(ways, i64x2.splat(2));
  offerPair(
    node + (LEAST_MATCH << 3),
    i64x2.add(v128.load(missing), i64x2.add(ways, i64x2.shl(i64x2.extend_low_i32x4_u(prices), 32))),
  );
  offerPair(
    node + ((LEAST_MATCH + 2) << 3),
    i64x2.add(v128.load(missing, 16), i64x2.add(more, i64x2.shl(i64x2.extend_high_i32x4_u(prices), 32))),
  );
}

/** Parses up to `limit`, or until a chunk is full. */
export function parseResiduals(s: Deflate, limit: u32): void {
  const nodes = s.nodes;
  const origin = s.origin;
  const tables = s.tables;
  const prices = s.prices;
  const end = s.end;
  let start = s.position;
  if (start === FIRST_POSITION) guessCountsOfResiduals(s);
  if (!s.arePriced) refreshPrices(s);
  while (start < limit && s.symbols < s.chunkEnd) {
    let at: u32 = 0;
    let cleared: u32 = 0;
    let back: u32 = 0;
    let length: u32 = 0;
    let way: u64 = 0;
    const shortPrices = v128.load(lengthPrices(prices));
    const until = min(SEGMENT, limit - start);
    for (; at < until; at++) {
      const position = start + at;
      if (at + NICE > cleared) cleared = clearNodes(nodes, cleared);
      const node = nodes + ((<usize>at) << 3);
      // Not read back from its node: the next one waits for it.
      const cost = <u32>(way >> 32);
      const here = origin + <usize>position;
      const bytes = load<u64>(here);
      const byLiteral = ((<u64>(cost + literalPrice(prices, bytes))) << 32) | 1;
      const other = load<u64>(node, 8);
      way = byLiteral < other ? byLiteral : other;
      store<u64>(node, way, 8);

      const ofA = slotA(tables, bytes);
      const ofB = slotB(tables, bytes, RESIDUALS);
      if (<u32>(other >> 32) <= cost + HARDLY_DEARER) {
        store<u16>(ofA, <u16>position);
        store<u16>(ofB, <u16>position);
        continue;
      }
      const reach = min(HISTORY, position - FIRST_POSITION);
      const most = min(LONGEST_MATCH, end - position);
      const now = v128.load(here);
      const backA = backOf(ofA, position, reach);
      const backB = backOf(ofB, position, reach);
      store<u16>(ofA, <u16>position);
      store<u16>(ofB, <u16>position);
      let lengthA = min(sameOf16(here, now, backA), most);
      let lengthB = min(sameOf16(here, now, backB), most);
      if (max(lengthA, lengthB) <= SHORT) {
        offerShort(node, edgeOf(prices, cost, backA), shortPrices, lengthA);
        if (lengthB > lengthA) offerShort(node, edgeOf(prices, cost, backB), shortPrices, lengthB);
        continue;
      }
      lengthA = whole(here, backA, lengthA, most);
      lengthB = whole(here, backB, lengthB, most);
      if (max(lengthA, lengthB) >= NICE) {
        back = lengthA >= lengthB ? backA : backB;
        length = max(lengthA, lengthB);
        break;
      }
      offer(prices, node, edgeOf(prices, cost, backA), LEAST_MATCH, lengthA);
      if (lengthB > lengthA) offer(prices, node, edgeOf(prices, cost, backB), LEAST_MATCH, lengthB);
    }
    if (length > 0) {
      writeWay(s, start, at);
      match(s, length, back);
      const from = start + at;
      start = from + length;
      enterInside(s, from + 1, start, back, RESIDUALS);
    } else {
      const last = lastNode(s, at);
      writeWay(s, start, last);
      for (let i = at; i < last; i++) enter(s, start + i, RESIDUALS);
      start += last;
    }
    refreshPricesIfDue(s);
  }
  s.position = start;
}
