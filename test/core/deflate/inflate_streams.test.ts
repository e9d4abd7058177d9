import { Buffer } from 'node:buffer';
import zlib from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault } from '../../../src/faults.ts';
import { openInflater } from '../../fixtures/inflater.ts';
import { seededBelow } from '../../fixtures/random.ts';

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
  const random = seededBelow(seed);
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

/** Blocks that hold nothing (RFC 1951 section 3.2.3), as bits in the order in which they are read. */
class EmptyBlock {
  readonly #bits: string;
  constructor(...bits: string[]) {
    this.#bits = bits.join('');
  }

  /** So many of them, a multiple of eight, so that the last one ends with a byte. */
  repeated(count: number): Buffer {
    const eight = this.#bits.repeat(8);
    const bytes = Uint8Array.from({ length: this.#bits.length }, (_, byte) =>
      Number.parseInt([...eight.slice(byte * 8, byte * 8 + 8)].reverse().join(''), 2),
    );
    return Buffer.concat(Array.from({ length: count / 8 }, () => bytes));
  }
}

const EMPTY = {
  fixed: new EmptyBlock('0', '10', '0000000'),
  // Five bits of padding, then no bytes.
  stored: new EmptyBlock('0', '00', '00000', '0'.repeat(16), '1'.repeat(16)),
  // 257 literals and lengths, 1 distance, 18 lengths of length codes: 1 and 18 have one bit, all others none.
  tables: new EmptyBlock(
    ...['0', '01', '00000', '00000', '0111'],
    ...Array.from({ length: 18 }, (_, at) => (at === 2 || at === 17 ? '100' : '000')),
    // 138 and 118 times nothing, the end of the block with one bit, the distance with one.
    ...['1', '1111111', '1', '1101011', '0', '0'],
    '0',
  ),
};

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

  it.each([
    ['of fixed codes', EMPTY.fixed, 16_000],
    ['of tables of their own', EMPTY.tables, 2000],
    ['that are stored', EMPTY.stored, 16_000],
  ])('reads past some blocks %s that hold nothing, and refuses endless ones', (_kind, block, most) => {
    const rest = zlib.deflateRawSync(Buffer.from('after all of them'));
    const stream = (count: number) => [Buffer.concat([block.repeated(count), rest])];
    expect(inflateAll(stream(most), 'raw').toString()).toBe('after all of them');
    expect(zlib.inflateRawSync(stream(2 * most)[0]!).toString()).toBe('after all of them');
    expect(() => inflateAll(stream(2 * most), 'raw')).toThrow(/corrupt/);
  });

  it('reads what encoders make that flush after every few bytes', async () => {
    const deflate = zlib.createDeflateRaw({ level: 6, memLevel: 1 });
    const parts: Buffer[] = [];
    deflate.on('data', (part: Buffer) => parts.push(part));
    const row = Buffer.from('twenty bytes, varied');
    for (let count = 0; count < 20_000; count++) {
      row.writeUInt32LE(Math.imul(count, 2654435761) >>> 0, 16);
      deflate.write(Buffer.from(row));
      await new Promise<void>((done) => deflate.flush(zlib.constants.Z_SYNC_FLUSH, done));
    }
    await new Promise<void>((done) => deflate.end(done));
    expect(inflateAll(parts, 'raw').length).toBe(20_000 * row.length);
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
