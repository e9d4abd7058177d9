import { Buffer } from 'node:buffer';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { InflateStream } from '../../../src/core/deflate/inflate.ts';
import { createCore } from '../../../src/core/instance.ts';

/** Long matches from everywhere, so that the window's limit is met in the middle of them. */
function material(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) {
    bytes[i] = i % 1021 < 900 ? (bytes[i - 1 - ((i >> 10) % 40)] ?? 0) : (i * 7919) >> 5;
  }
  return bytes;
}

describe('inflate in the core', () => {
  it.each([1, 6, 9])('writes to nothing but its own memory (level %i)', (level) => {
    const bytes = material(700_000);
    const packed = deflateSync(bytes, { level });
    // Zeros end on matches of every length at the limit.
    for (const source of [packed, deflateSync(new Uint8Array(3_000_000), { level })]) {
      const core = createCore();
      const before = core.alloc(4096);
      const stream = new InflateStream(core, [source], 'zlib');
      const after = core.alloc(4096);
      core.view(before, 4096).fill(0xa5);
      core.view(after, 4096).fill(0xa5);
      let total = 0;
      for (let count = 1; count > 0; total += count) count = stream.skip(99_991);
      expect(total).toBeGreaterThan(600_000);
      for (const at of [before, after]) {
        expect(core.view(at, 4096).every((byte) => byte === 0xa5)).toBe(true);
      }
    }
  });

  it('goes on from a copy as from the original, at any place', () => {
    const bytes = material(300_000);
    // Blocks of 128 symbols: those behind the place have codes of their own.
    const packed = deflateSync(bytes, { memLevel: 1 });
    for (const place of [0, 1, 65_536, 98_304, 98_305, 250_000, 300_000]) {
      const core = createCore();
      const input = new Pieces(packed, 900);
      const original = new InflateStream(core, input, 'zlib');
      expect(original.skip(place)).toBe(place);
      const copy = new InflateStream(core, input.clone(), original);
      for (const stream of [copy, original]) {
        const into = new Uint8Array(bytes.length + 1);
        expect(stream.read(into)).toBe(bytes.length - place);
        expect(Buffer.compare(into.subarray(0, bytes.length - place), bytes.subarray(place))).toBe(0);
      }
    }
  });
});

/** Bytes in pieces, that can be copied in the middle. */
class Pieces implements Iterable<Uint8Array>, Iterator<Uint8Array> {
  readonly bytes: Uint8Array;
  readonly size: number;
  at: number;

  constructor(bytes: Uint8Array, size: number, at = 0) {
    this.bytes = bytes;
    this.size = size;
    this.at = at;
  }
  clone(): Pieces {
    return new Pieces(this.bytes, this.size, this.at);
  }
  [Symbol.iterator](): this {
    return this;
  }
  next(): IteratorResult<Uint8Array, undefined> {
    if (this.at >= this.bytes.length) return { done: true, value: undefined };
    const value = this.bytes.subarray(this.at, this.at + this.size);
    this.at += this.size;
    return { done: false, value };
  }
}
