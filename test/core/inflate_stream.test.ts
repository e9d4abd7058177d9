import { Buffer } from 'node:buffer';
import zlib from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault } from '../../src/faults.ts';
import { openInflater } from '../fixtures/inflater.ts';

type Wrapper = 'zlib' | 'raw';

/** Reads everything, `step` bytes at a time, `limit` bytes at most. */
function inflateAll(
  pieces: Iterable<Uint8Array>,
  wrapper: Wrapper,
  step = 10_000,
  limit = 4_000_000,
): Buffer {
  using inflater = openInflater(pieces, wrapper);
  const parts: Uint8Array[] = [];
  for (let total = 0; total < limit; ) {
    const into = new Uint8Array(step);
    const count = inflater.read(into);
    parts.push(into.subarray(0, count));
    total += count;
    if (count < step) break;
  }
  return Buffer.concat(parts);
}

function* cut(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Bytes with what DEFLATE is made of: literals, short periods, matches from 32 KB back. */
function material(kind: number, length: number, seed: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = seed >>> 0;
  const random = (n: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  for (let i = 0; i < length; i++) {
    if (kind === 0) bytes[i] = random(256);
    else if (kind === 1) bytes[i] = random(3);
    else if (kind === 2) bytes[i] = i > 20 ? bytes[i - 1 - ((i >> 9) % 20)]! : random(256);
    else if (kind === 3) bytes[i] = i > 32_768 && random(60) > 0 ? bytes[i - 32_768]! : random(256);
    else bytes[i] = random(40) > 0 ? (bytes[i - 1] ?? 0) : random(256);
  }
  return bytes;
}

const streams = fc.record({
  kind: fc.nat(4),
  length: fc.oneof(fc.nat(200), fc.nat(3000), fc.nat(200_000)),
  seed: fc.nat(),
  level: fc.nat(9),
  strategy: fc.nat(4),
  memLevel: fc.integer({ min: 1, max: 9 }),
  raw: fc.boolean(),
  step: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1000, max: 300_000 })),
  pieces: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1000, max: 70_000 })),
});
type Stream = typeof streams extends fc.Arbitrary<infer T> ? T : never;

function deflated(stream: Stream): { bytes: Uint8Array; packed: Uint8Array; wrapper: Wrapper } {
  const bytes = material(stream.kind, stream.length, stream.seed);
  const { level, strategy, memLevel } = stream;
  const pack = stream.raw ? zlib.deflateRawSync : zlib.deflateSync;
  return { bytes, packed: pack(bytes, { level, strategy, memLevel }), wrapper: stream.raw ? 'raw' : 'zlib' };
}

/** zlib's verdict on the same bytes, undefined when it refuses them. */
function oracle(packed: Uint8Array, wrapper: Wrapper): Uint8Array | undefined {
  try {
    const options = { maxOutputLength: 3_000_000 };
    return wrapper === 'raw' ? zlib.inflateRawSync(packed, options) : zlib.inflateSync(packed, options);
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') return new Uint8Array(0);
    return undefined;
  }
}

describe('inflate', () => {
  it('gives back what zlib deflated: every level, strategy, piece and read size', () => {
    fc.assert(
      fc.property(streams, (stream) => {
        const { bytes, packed, wrapper } = deflated(stream);
        const step = Math.max(stream.step, stream.length / 500) | 0 || 1;
        const read = inflateAll(cut(packed, Math.max(stream.pieces, packed.length >> 9)), wrapper, step);
        expect(Buffer.compare(read, bytes)).toBe(0);
      }),
      { numRuns: 150, seed: 6 },
    );
  });

  it('accepts and refuses mutated streams exactly as zlib does', () => {
    let refused = 0;
    fc.assert(
      fc.property(
        streams,
        fc.array(fc.tuple(fc.nat(), fc.nat(7), fc.boolean()), { minLength: 1, maxLength: 3 }),
        (stream, flips) => {
          const { packed, wrapper } = deflated({ ...stream, length: stream.length % 4000 });
          const bent = Uint8Array.from(packed);
          for (const [at, bit, early] of flips)
            bent[at % (early ? Math.min(60, bent.length) : bent.length)]! ^= 1 << bit;
          const expected = oracle(bent, wrapper);
          const read = () => inflateAll([bent], wrapper);
          if (!expected) {
            refused++;
            expect(read).toThrow(Fault);
          } else if (expected.length > 0) expect(Buffer.compare(read(), expected)).toBe(0);
        },
      ),
      { numRuns: 2000, seed: 7 },
    );
    expect(refused).toBeGreaterThan(500);
  });

  it('makes the tables anew when fixed and dynamic codes take turns', () => {
    const text = Buffer.from(
      'the tables of fixed codes are kept while fixed blocks follow each other '.repeat(40),
    );
    const block = (strategy: zlib.ZlibOptions['strategy'], last: boolean) =>
      zlib.deflateRawSync(text, {
        strategy,
        finishFlush: last ? zlib.constants.Z_FINISH : zlib.constants.Z_SYNC_FLUSH,
      });
    const { Z_FIXED, Z_DEFAULT_STRATEGY } = zlib.constants;
    const order = [Z_FIXED, Z_DEFAULT_STRATEGY, Z_FIXED, Z_FIXED, Z_DEFAULT_STRATEGY, Z_FIXED];
    const stream = order.map((strategy, index) => block(strategy, index === order.length - 1));
    expect(inflateAll(stream, 'raw')).toEqual(Buffer.concat(order.map(() => text)));
  });

  it('reads past empty blocks of fixed codes without making their tables each time', () => {
    // Ten bits a block, 0 10 0000000 with the lowest first: eight blocks are ten bytes, always the same.
    const bits: number[] = Array.from({ length: 80 }, (_, i) => (i % 10 === 1 ? 1 : 0));
    const eight = Uint8Array.from({ length: 10 }, (_, byte) =>
      bits.slice(byte * 8, byte * 8 + 8).reduce((sum, bit, at) => sum | (bit << at), 0),
    );
    const empty = Buffer.concat(Array.from({ length: 40_000 }, () => eight));
    const rest = zlib.deflateRawSync(Buffer.from('after all of them'));
    expect(inflateAll([empty, rest], 'raw').toString()).toBe('after all of them');
  });

  it('refuses a stream that is cut at any byte, after giving what came before', () => {
    const bytes = material(2, 3000, 1);
    const packed = zlib.deflateSync(bytes, { level: 6 });
    for (let length = 0; length < packed.length; length++) {
      expect(() => inflateAll([packed.subarray(0, length)], 'zlib'), `cut at ${length}`).toThrow(
        /ends early/,
      );
    }
    using inflater = openInflater([packed.subarray(0, packed.length - 4)], 'zlib');
    const into = new Uint8Array(3000);
    expect(inflater.read(into)).toBe(3000);
    expect(Buffer.compare(into, bytes)).toBe(0);
    expect(() => inflater.read(into)).toThrow(/ends early/);
  });

  it('leaves alone what follows the stream, and closes its input', () => {
    let closed = false;
    function* input() {
      try {
        yield zlib.deflateSync(new Uint8Array([1, 2, 3]));
        yield new Uint8Array([9, 9, 9]);
      } finally {
        closed = true;
      }
    }
    const inflater = openInflater(input(), 'zlib');
    expect(inflater.read(new Uint8Array(10))).toBe(3);
    expect(inflater.read(new Uint8Array(10))).toBe(0);
    inflater[Symbol.dispose]();
    expect(closed).toBe(true);
  });

  it('names its faults as decoding faults', () => {
    expect(() => inflateAll([new Uint8Array([1, 2, 3, 4])], 'zlib')).toThrow(
      expect.objectContaining({ kind: 'decoding' }),
    );
  });
});
