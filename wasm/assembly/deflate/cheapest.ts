/**
 * Bytes to literals and matches in few bits: the cheapest way through a segment, node by node (Dijkstra's
 * shortest path in a graph whose edges all lead forward). An edge is a literal or a match, at the price that
 * what came so far gives it. Candidates are the nearest matches of some lengths, and the row above.
 *
 * Where pixels have three bytes, nodes are pixels: matches seldom begin or end within one.
 */
import {
  backOf,
  chainAt,
  common,
  enterChained,
  enterInside,
  enterPixels,
  sameOf16,
  slotA,
  slotB,
  slotC,
  slotD,
} from './nearest';
import { literal, match } from './parse';
import { distancePrice, lengthPrices, literalPrice, refreshPrices } from './prices';
import {
  BLOCK_SYMBOLS,
  Deflate,
  FIRST_POSITION,
  HISTORY,
  LEAST_MATCH,
  LONGEST_MATCH,
  NODES_AT_ONCE,
  SEGMENT,
} from './state';

/** Where many bytes are the same, so many further positions are looked at for a longer match. */
const CHAIN: u32 = 4;
/** More where samples share bytes. */
const CHAIN_OF_BITS: u32 = 8;

/** Prices follow the counts after so many symbols; at the start of a block, when less is known, fewer. */
const REPRICED_AFTER: u32 = 1024;
const REPRICED_AT_FIRST: u32 = 64;

/** A node (u64): cost of the way to it << 32 | its last edge's distance, 0 of literals, << 9 | length. */
const NO_WAY: u64 = 0x7fffffff00000000;

/** Goes on to `limit` or until a block is full. */
export function parseCheapest(s: Deflate, limit: u32): void {
  if (s.unit === 3) parse(s, limit, 3);
  else if (s.unit === 1) parse(s, limit, 1);
  else parse(s, limit, 0);
}

// @inline
function edge(s: Deflate, cost: u32, back: u32): u64 {
  return ((<u64>(cost + distancePrice(s, back))) << 32) | (back << 9);
}

// @inline
function whole(here: usize, back: u32, length: u32, most: u32): u32 {
  return length < 16 ? length : common(here, here - <usize>back, most);
}

// @inline
function parse(s: Deflate, limit: u32, unit: u32): void {
  const rowBytes = s.rowBytes;
  const nice = s.nice;
  const nodes = s.nodes;
  let rowStart = s.rowStart;
  let start = s.position;
  if (start === FIRST_POSITION) refreshPrices(s);
  while (start < limit && s.symbols < BLOCK_SYMBOLS) {
    let at: u32 = 0;
    let cleared: u32 = 0;
    store<u64>(nodes, 0);
    while (at < SEGMENT) {
      const position = start + at;
      if (position >= limit) break;
      if (at + nice > cleared) {
        memory.fill(nodes + ((<usize>cleared + 1) << 3), 0xff, NODES_AT_ONCE << 3);
        cleared += NODES_AT_ONCE;
      }
      const node = nodes + ((<usize>at) << 3);
      const cost = <u32>(load<u64>(node) >> 32);
      const here = s.origin + <usize>position;
      const bytes = load<u64>(here);
      const most = min(LONGEST_MATCH, s.end - position);
      let step: u32 = 1;
      let price = cost + literalPrice(s, bytes);
      let mostInRow = most;
      if (unit === 3) {
        while (position >= rowStart + rowBytes) rowStart += rowBytes;
        const inRow = rowStart + rowBytes - position;
        // The filter's type, before the first pixel, is a node of its own.
        mostInRow = inRow === rowBytes ? 0 : min(most, inRow);
        if (mostInRow > 2) {
          step = 3;
          price += literalPrice(s, bytes >> 8) + literalPrice(s, bytes >> 16);
        }
      }
      const next = node + ((<usize>step) << 3);
      const byLiterals = ((<u64>price) << 32) | step;
      if (byLiterals < load<u64>(next)) store<u64>(next, byLiterals);

      const reach = min(HISTORY, position - FIRST_POSITION);
      const now = v128.load(here);
      const ofA = slotA(s, bytes);
      const ofB = slotB(s, bytes, unit);
      const ofD = slotD(s, bytes, here, unit);
      const backA = backOf(ofA, position, reach);
      const backB = backOf(ofB, position, reach);
      const backD = backOf(ofD, position, reach);
      const rowBack = rowBytes <= reach ? rowBytes : 0;
      let backC: u32 = 0;
      let lengthC: u32 = 0;
      store<u16>(ofA, <u16>position);
      store<u16>(ofB, <u16>position);
      if (unit === 0) {
        const ofC = slotC(s, bytes, here);
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
      if (longest > 15) {
        lengthA = whole(here, backA, lengthA, most);
        lengthB = backB === backA ? lengthA : whole(here, backB, lengthB, most);
        if (unit === 0) lengthC = backC === backB ? lengthB : whole(here, backC, lengthC, most);
        lengthD = backD === backB ? lengthB : whole(here, backD, lengthD, most);
        rowLength = whole(here, rowBack, rowLength, most);
        longest = lengthA;
        let back = backA;
        if (lengthB > longest) {
          longest = lengthB;
          back = backB;
        }
        if (unit === 0 && lengthC > longest) {
          longest = lengthC;
          back = backC;
        }
        if (lengthD > longest) {
          longest = lengthD;
          back = backD;
        }
        if (rowLength > longest) {
          longest = rowLength;
          back = rowBack;
        }
        if (backD > 0) {
          let further = backD;
          for (let left = unit === 0 ? CHAIN_OF_BITS : CHAIN; longest < most && left > 0; left--) {
            const gap = <u32>load<u16>(chainAt(s, position - further));
            further += gap;
            if (gap === 0 || further > reach) break;
            const there = here - <usize>further;
            // A longer match must agree where this one would end.
            if (load<u32>(there + <usize>(longest - 3)) !== load<u32>(here + <usize>(longest - 3))) continue;
            const length = common(here, there, most);
            if (length > longest) {
              longest = length;
              back = chainedBack = further;
            }
          }
        }
        if (longest >= nice) {
          writeWay(s, start, at);
          if (unit === 3) {
            longest -= beyondPixel(position - rowStart + longest, rowBytes);
            rowStart = enterPixels(s, position + step, position + longest, back, rowStart);
          } else enterInside(s, position + 1, position + longest, back, unit);
          match(s, longest, back);
          start = position + longest;
          at = 0;
          break;
        }
      }
      longest = min(longest, mostInRow);
      if (longest >= LEAST_MATCH) {
        const edgeA = edge(s, cost, backA);
        const edgeB = edge(s, cost, backB);
        const edgeC = unit === 0 ? edge(s, cost, backC) : NO_WAY;
        const edgeD = edge(s, cost, backD);
        const rowEdge = edge(s, cost, rowBack);
        const chained = chainedBack > 0 ? edge(s, cost, chainedBack) : NO_WAY;
        let to = node + (LEAST_MATCH << 3);
        let prices = lengthPrices(s);
        for (let length = LEAST_MATCH; length <= longest; length += unit === 3 ? 3 : 1) {
          // The nearest that is long enough, or the row above.
          let way = lengthD >= length ? edgeD : chained;
          if (unit === 0) way = lengthC >= length ? edgeC : way;
          way = lengthB >= length ? edgeB : way;
          way = lengthA >= length ? edgeA : way;
          const above = rowLength >= length ? rowEdge : NO_WAY;
          way = above < way ? above : way;
          way += ((<u64>load<u32>(prices)) << 32) | length;
          const other = load<u64>(to);
          store<u64>(to, way < other ? way : other);
          to += unit === 3 ? 24 : 8;
          prices += unit === 3 ? 12 : 4;
        }
      }
      at += step;
    }
    if (at > 0) {
      writeWay(s, start, at);
      start += at;
    }
    const due = min(REPRICED_AFTER, REPRICED_AT_FIRST + (s.symbols >> 1));
    if (s.symbols - s.pricedAt > due) refreshPrices(s);
  }
  s.position = start;
  s.rowStart = rowStart;
}

/** The literals and matches of the cheapest way to a node. */
function writeWay(s: Deflate, start: u32, end: u32): void {
  // Each node has its last edge: turned round, each has the one that leads on.
  let last = load<u32>(s.nodes + ((<usize>end) << 3));
  for (let i = end; i > 0; ) {
    i -= last & 511;
    const node = s.nodes + ((<usize>i) << 3);
    const before = load<u32>(node);
    store<u32>(node, last);
    last = before;
  }
  for (let i: u32 = 0; i < end; ) {
    const on = load<u32>(s.nodes + ((<usize>i) << 3));
    const to = i + (on & 511);
    if (on >> 9 > 0) match(s, to - i, on >> 9);
    else for (let j = i; j < to; j++) literal(s, start + j);
    i = to;
  }
}

/** Bytes of a row by which a match ends within a pixel. @param end from the row's start on */
function beyondPixel(end: u32, rowBytes: u32): u32 {
  const inRow = end % rowBytes;
  return inRow === 0 ? 0 : (inRow - 1) % 3;
}
