/**
 * Parses bytes into the literals and matches that take the fewest bits: a shortest path through a segment,
 * node by node, in a graph whose edges all lead forward. An edge is a literal or a match, and costs what the
 * symbols so far suggest (prices.ts). Candidates are the nearest matches of some lengths, and the row above.
 *
 * If pixels have three bytes, nodes are pixels: matches seldom begin or end within one.
 */
import {
  backOf,
  chainAt,
  common,
  enter,
  enterChained,
  enterInside,
  enterPixels,
  sameOf16,
  slotA,
  slotB,
  slotC,
  slotD,
  whole,
} from './nearest';
import { match } from './parse';
import { clearNodes, edgeOf, HARDLY_DEARER, lastNode, NO_WAY, offer, writeWay } from './path';
import { lengthPrices, literalPrice, refreshPrices, refreshPricesIfDue } from './prices';
import { Deflate, FIRST_POSITION, HISTORY, LEAST_MATCH, LONGEST_MATCH, SEGMENT } from './state';

/** The most further positions that are tried for a longer match; more if samples share bytes. */
const CHAIN: u32 = 4;
const CHAIN_OF_BITS: u32 = 16;

/**
 * Once a match is long enough to be taken at once, this many nodes are compared and the best match is taken:
 * the first one may hide longer ones, or a cheaper one in the row above. If nodes are pixels, the first one
 * is taken.
 */
const NODES_AFTER: u32 = 2;
const NODES_OF_BITS: u32 = 5;

/** The worth of a byte, in sixteenths of a bit, when matches of different lengths are compared. */
const BYTE_WORTH: u32 = 8;

/** Parses up to `limit`, or until a chunk is full. */
export function parseCheapest(s: Deflate, limit: u32): void {
  if (s.unit === 3) parse(s, limit, 3);
  else if (s.unit === 1) parse(s, limit, 1);
  else parse(s, limit, 0);
}

/** An edge of a whole match (i64), with its cost less the worth of its bytes. */
// @inline
function score(prices: usize, edge: u64, length: u32, nice: u32): i64 {
  if (length < nice) return i64.MAX_VALUE;
  const price = load<u32>(lengthPrices(prices) + ((<usize>(length - LEAST_MATCH)) << 2));
  return <i64>edge + (((<i64>price - <i64>(length * BYTE_WORTH)) << 32) | length);
}

// @inline
function parse(s: Deflate, limit: u32, unit: u32): void {
  const rowBytes = s.rowBytes;
  const nice = s.nice;
  const nodes = s.nodes;
  const origin = s.origin;
  const tables = s.tables;
  const prices = s.prices;
  let rowStart = s.rowStart;
  let start = s.position;
  if (!s.arePriced) refreshPrices(s);
  while (start < limit && s.symbols < s.chunkEnd) {
    let at: u32 = 0;
    let cleared: u32 = 0;
    let best = i64.MAX_VALUE;
    let bestAt: u32 = 0;
    let until = SEGMENT;
    store<u64>(nodes, 0);
    while (at < until) {
      const position = start + at;
      if (position >= limit) break;
      if (at + nice > cleared) cleared = clearNodes(nodes, cleared);
      const node = nodes + ((<usize>at) << 3);
      const cost = <u32>(load<u64>(node) >> 32);
      const here = origin + <usize>position;
      const bytes = load<u64>(here);
      const most = min(LONGEST_MATCH, s.end - position);
      let step: u32 = 1;
      let price = cost + literalPrice(prices, bytes);
      let mostInRow = most;
      if (unit === 3) {
        while (position >= rowStart + rowBytes) rowStart += rowBytes;
        const inRow = rowStart + rowBytes - position;
        // The filter type before the first pixel is a node of its own.
        mostInRow = inRow === rowBytes ? 0 : min(most, inRow);
        if (mostInRow > 2) {
          step = 3;
          price += literalPrice(prices, bytes >> 8) + literalPrice(prices, bytes >> 16);
        }
      }
      const literalNode = node + ((<usize>step) << 3);
      if (unit < 3 && <u32>(load<u64>(literalNode) >> 32) <= cost + HARDLY_DEARER) {
        enter(s, position, unit);
        at += step;
        continue;
      }
      const byLiterals = ((<u64>price) << 32) | step;
      if (byLiterals < load<u64>(literalNode)) store<u64>(literalNode, byLiterals);

      const reach = min(HISTORY, position - FIRST_POSITION);
      const now = v128.load(here);
      const ofA = slotA(tables, bytes);
      const ofB = slotB(tables, bytes, unit);
      const ofD = slotD(tables, bytes, here, unit);
      const backA = backOf(ofA, position, reach);
      const backB = backOf(ofB, position, reach);
      const backD = backOf(ofD, position, reach);
      const rowBack = rowBytes <= reach ? rowBytes : 0;
      let backC: u32 = 0;
      let lengthC: u32 = 0;
      store<u16>(ofA, <u16>position);
      store<u16>(ofB, <u16>position);
      if (unit === 0) {
        const ofC = slotC(tables, bytes, here);
        backC = backOf(ofC, position, reach);
        lengthC = sameOf16(here, now, backC);
        store<u16>(ofC, <u16>position);
      }
      enterChained(s, ofD, position);
      let lengthA = sameOf16(here, now, backA);
      let lengthB = sameOf16(here, now, backB);
      let lengthD = sameOf16(here, now, backD);
      let rowLength = sameOf16(here, now, rowBack);
      let longest = max(max(max(lengthA, lengthB), max(lengthC, lengthD)), rowLength);
      let chainedBack: u32 = 0;
      let chained: u64 = NO_WAY;
      let next: u32 = LEAST_MATCH;
      if (longest > (unit === 0 ? 11 : 15)) {
        lengthA = whole(here, backA, lengthA, most);
        lengthB = backB === backA ? lengthA : whole(here, backB, lengthB, most);
        if (unit === 0) lengthC = backC === backB ? lengthB : whole(here, backC, lengthC, most);
        lengthD = backD === backB ? lengthB : whole(here, backD, lengthD, most);
        rowLength = whole(here, rowBack, rowLength, most);
        const nearest = max(max(lengthA, lengthB), max(lengthC, lengthD));
        longest = max(nearest, rowLength);
        next = nearest + 1;
        let scored = i64.MAX_VALUE;
        let from = position;
        let further = backD;
        let gap = backD > 0 ? <u32>load<u16>(chainAt(s, position - backD)) : 0;
        if (unit < 3 && load<u64>(here, 1) === bytes && load<u64>(here, 8) === bytes) {
          // A run of one byte occurs at many positions: only those whose runs end alike are tried.
          const run = common(here + 1, here, most);
          if (run + 16 <= most) {
            from = position + run;
            const there = here + <usize>run;
            further = 0;
            gap = backOf(slotD(tables, load<u64>(there), there, unit), from, reach);
          }
        }
        for (let left = unit === 0 ? CHAIN_OF_BITS : CHAIN; longest < most && left > 0; left--) {
          further += gap;
          if (gap === 0 || further > reach) break;
          gap = <u32>load<u16>(chainAt(s, from - further));
          const there = here - <usize>further;
          // A longer match must have the same bytes at the end of this one.
          if (load<u32>(there + <usize>(longest - 3)) !== load<u32>(here + <usize>(longest - 3))) continue;
          const length = common(here, there, most);
          if (length > longest) {
            longest = length;
            chainedBack = further;
            chained = edgeOf(prices, cost, further);
            if (unit === 0) next = offer(prices, node, chained, next, min(length, nice - 1));
            if (unit < 3) scored = score(prices, chained, length, nice);
          }
        }
        if (longest >= nice) {
          if (unit === 3) {
            let back = lengthD === longest ? backD : chainedBack;
            back = rowLength === longest ? rowBack : back;
            back = lengthB === longest ? backB : back;
            back = lengthA === longest ? backA : back;
            scored = (back << 9) | longest;
            until = 0;
          } else {
            scored = min(scored, score(prices, edgeOf(prices, cost, backA), lengthA, nice));
            scored = min(scored, score(prices, edgeOf(prices, cost, backB), lengthB, nice));
            if (unit === 0) scored = min(scored, score(prices, edgeOf(prices, cost, backC), lengthC, nice));
            scored = min(scored, score(prices, edgeOf(prices, cost, backD), lengthD, nice));
            scored = min(scored, score(prices, edgeOf(prices, cost, rowBack), rowLength, nice));
            scored -= (<i64>(at * BYTE_WORTH)) << 32;
            if (best === i64.MAX_VALUE) until = at + (unit === 0 ? NODES_OF_BITS : NODES_AFTER);
          }
          if (scored < best) {
            best = scored;
            bestAt = at;
          }
          longest = nice - 1;
        }
      }
      longest = min(longest, mostInRow);
      if (longest >= LEAST_MATCH) {
        const edgeA = edgeOf(prices, cost, backA);
        const edgeB = edgeOf(prices, cost, backB);
        const edgeD = edgeOf(prices, cost, backD);
        const rowEdge = edgeOf(prices, cost, rowBack);
        // For each length: the nearest match that is long enough, or the row above.
        if (unit === 0) {
          next = offer(prices, node, edgeA, LEAST_MATCH, min(lengthA, longest));
          next = offer(prices, node, edgeB, next, min(lengthB, longest));
          next = offer(prices, node, edgeOf(prices, cost, backC), next, min(lengthC, longest));
          offer(prices, node, edgeD, next, min(lengthD, longest));
          offer(prices, node, rowEdge, LEAST_MATCH, min(rowLength, longest));
        } else {
          let to = node + (LEAST_MATCH << 3);
          let lengths = lengthPrices(prices);
          for (let length = LEAST_MATCH; length <= longest; length += unit) {
            let way = lengthD >= length ? edgeD : chained;
            way = lengthB >= length ? edgeB : way;
            way = lengthA >= length ? edgeA : way;
            const above = rowLength >= length ? rowEdge : NO_WAY;
            way = above < way ? above : way;
            way += ((<u64>load<u32>(lengths)) << 32) | length;
            const other = load<u64>(to);
            store<u64>(to, way < other ? way : other);
            to += unit << 3;
            lengths += unit << 2;
          }
        }
      }
      at += step;
    }
    if (best !== i64.MAX_VALUE) {
      const from = start + bestAt;
      const back = <u32>best >> 9;
      let length = <u32>best & 511;
      writeWay(s, start, bestAt);
      if (unit === 3) {
        length -= beyondPixel(from + rowBytes - rowStart + length, rowBytes);
        rowStart = enterPixels(s, start + at, from + length, back, rowStart);
      } else enterInside(s, start + at, from + length, back, unit);
      match(s, length, back);
      start = from + length;
    } else if (at > 0) {
      const last = unit === 3 ? at : lastNode(s, at);
      writeWay(s, start, last);
      for (let i = at; i < last; i++) enter(s, start + i, unit);
      start += last;
    }
    refreshPricesIfDue(s);
  }
  s.position = start;
  s.rowStart = rowStart;
}

/** Bytes of a match beyond its last whole pixel. @param end where it ends, from the row's start */
function beyondPixel(end: u32, rowBytes: u32): u32 {
  const inRow = end % rowBytes;
  return inRow === 0 ? 0 : (inRow - 1) % 3;
}
