import { inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Fault } from '../../../src/faults.ts';
import { openInflater } from '../../fixtures/inflater.ts';
import { seededRandom } from '../../fixtures/random.ts';

/** Bits to bytes, lowest first (RFC 1951 section 3.1.1). */
class BitWriter {
  readonly bytes: number[] = [];
  #bits = 0;
  put(value: number, count: number): void {
    for (let i = 0; i < count; i++, this.#bits++) {
      if (this.#bits % 8 === 0) this.bytes.push(0);
      if ((value >> i) & 1) this.bytes[this.bytes.length - 1]! |= 1 << (this.#bits % 8);
    }
  }
}

/** Code lengths of a complete code of up to `most` symbols among `all`, spoilt now and then. */
function codeLengths(random: () => number, all: number, most: number): number[] {
  const lengths = [0];
  while (lengths.length < most) {
    const at = Math.floor(random() * lengths.length);
    const length = lengths[at]!;
    if (length >= 15 || (random() < 0.02 && lengths.length > 1)) break;
    lengths.splice(at, 1, length + 1, length + 1);
  }
  const symbols = new Array<number>(all).fill(0);
  for (const length of lengths) {
    let at = Math.floor(random() * all);
    while (symbols[at] !== 0) at = (at + 1) % all;
    symbols[at] = length;
  }
  if (random() < 0.2) symbols[Math.floor(random() * all)] = Math.floor(random() * 16);
  return symbols;
}

/** One last dynamic block (RFC 1951 section 3.2.7) with random codes and random bits for its content. */
function randomBlock(random: () => number): Uint8Array {
  const out = new BitWriter();
  const literals = 257 + Math.floor(random() * 30);
  const distances = 1 + Math.floor(random() * 30);
  out.put(1, 1);
  out.put(2, 2);
  out.put(literals - 257, 5);
  out.put(distances - 1, 5);
  // Code lengths 0 to 15 by four bits each, no repeats: their codes are their values, highest bit first.
  out.put(15, 4);
  for (const symbol of [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]) {
    out.put(symbol < 16 ? 4 : 0, 3);
  }
  const few = random() < 0.4 ? 3 : 300;
  const literalLengths = codeLengths(random, literals, Math.min(literals, few));
  if (literalLengths[256] === 0 && random() < 0.8) {
    const at = literalLengths.findIndex((length) => length > 0);
    literalLengths[256] = literalLengths[at] ?? 1;
    if (at >= 0) literalLengths[at] = 0;
  }
  for (const length of [...literalLengths, ...codeLengths(random, distances, Math.min(distances, few))]) {
    for (let bit = 3; bit >= 0; bit--) out.put(length >> bit, 1);
  }
  for (let i = 0; i < 60; i++) out.put(Math.floor(random() * 256), 8);
  // A long run of one value ends most streams: some code of few bits is the end of the block.
  for (let i = 0; i < 40; i++) out.put(random() < 0.5 ? 255 : 0, 8);
  return Uint8Array.from(out.bytes);
}

function oracle(packed: Uint8Array): Uint8Array | undefined {
  try {
    return inflateRawSync(packed);
  } catch {
    return undefined;
  }
}

function ours(packed: Uint8Array): Uint8Array | undefined {
  try {
    using inflater = openInflater([packed], 'raw');
    const into = new Uint8Array(300_000);
    return into.subarray(0, inflater.read(into));
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

describe('inflate on random codes', () => {
  it('accepts and refuses the same codes as zlib, and decodes the same bytes', () => {
    const random = seededRandom(9);
    let accepted = 0;
    let refused = 0;
    for (let turn = 0; turn < 3000; turn++) {
      const packed = randomBlock(random);
      const expected = oracle(packed);
      const read = ours(packed);
      if (expected) accepted++;
      else refused++;
      if (!expected !== !read || (expected && Buffer.compare(expected, read!) !== 0)) {
        expect.fail(`turn ${turn}: zlib ${expected?.length ?? 'refuses'}, ours ${read?.length ?? 'refuses'}`);
      }
    }
    expect(accepted).toBeGreaterThan(300);
    expect(refused).toBeGreaterThan(300);
  });
});
