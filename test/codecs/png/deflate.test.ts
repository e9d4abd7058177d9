import { deflateSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openDeflater, type PixelRows, type Tuning } from '../../../src/codecs/png/deflate.ts';
import { openInflater } from '../../fixtures/inflater.ts';
import { joined } from '../../fixtures/png_writer.ts';
import { seededRandom } from '../../fixtures/random.ts';
import { testCore } from '../../fixtures/raster.ts';

const tunings: readonly Tuning[] = ['runs', 'residuals', 'cheapest'];

/** Bytes of which a share repeats what stood `back` before. */
function material(length: number, seed: number, back = 300, share = 0.7): Uint8Array {
  const random = seededRandom(seed);
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++)
    bytes[i] = i >= back && random() < share ? bytes[i - back]! : random() * 256;
  return bytes;
}

/** Rows, each after a zero, of letters: 40 of them, with soft edges, in one colour on another. */
function textRows(width: number, height: number, pixelBytes: number) {
  const random = seededRandom(7);
  const letters = Array.from({ length: 40 }, () => {
    const ends = Array.from({ length: 4 }, () => [random() * 7, random() * 11]);
    return (x: number, y: number) =>
      Math.max(0, ...ends.map(([ex, ey]) => 2 - Math.hypot(x - ex!, (y - ey!) / 2))) / 2;
  });
  const lines = Array.from({ length: 99 }, () => Array.from({ length: 99 }, () => (random() * 40) | 0));
  const rowBytes = width * pixelBytes + 1;
  const bytes = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const ink = letters[lines[Math.floor(y / 14)]![Math.floor(x / 9)]!]!(x % 9, y % 14);
      for (let i = 0; i < pixelBytes; i++)
        bytes[y * rowBytes + 1 + x * pixelBytes + i] = [250, 240, 210, 255][i]! * (1 - ink) + 40 * i * ink;
    }
  }
  return { bytes, rowBytes };
}

function deflated(parts: readonly (Uint8Array | Tuning)[], rows?: PixelRows): Uint8Array {
  const pieces: Uint8Array[] = [];
  using deflater = openDeflater('runs', (piece) => pieces.push(piece.slice()), testCore());
  if (rows) deflater.restart(rows);
  for (const part of parts) {
    if (typeof part === 'string') deflater.tuning = part;
    else for (const _ of deflater.writing(part));
  }
  deflater.finish();
  return joined(pieces);
}

/** By the runtime's own zlib, which checks the sum too; and by our own. */
function inflated(packed: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(inflateSync(packed));
  using own = openInflater([packed], 'zlib');
  const again = new Uint8Array(bytes.length + 1);
  expect(own.read(again)).toBe(bytes.length);
  expect(Buffer.compare(bytes, again.subarray(0, bytes.length))).toBe(0);
  return bytes;
}

const expectSame = (bytes: Uint8Array, wanted: Uint8Array) =>
  expect([bytes.length, Buffer.compare(bytes, wanted)]).toEqual([wanted.length, 0]);

describe('deflater', () => {
  it('makes one zlib stream of all writes, through every change of tuning', () => {
    const parts = [material(100_000, 1), material(7, 2), material(300_000, 3)] as const;
    const packed = deflated([
      parts[0],
      'cheapest',
      parts[1],
      'residuals',
      'runs',
      'runs',
      parts[2],
      'residuals',
    ]);
    expectSame(inflated(packed), joined(parts));
  });

  it.each(tunings)('loses nothing, whatever the bytes and the writes: %s', (tuning) => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc.tuple(fc.nat(255), fc.nat(3000)).map(([byte, length]) => new Uint8Array(length).fill(byte)),
      fc
        .tuple(
          fc.nat(90_000),
          fc.nat(1000),
          fc.integer({ min: 1, max: 33_000 }),
          fc.double({ min: 0, max: 1 }),
        )
        .map(([length, seed, back, share]) => material(length, seed, back, Number.isNaN(share) ? 0 : share)),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        expectSame(inflated(deflated([tuning, ...pieces])), joined(pieces));
      }),
      { numRuns: 60, seed: 11 },
    );
  });

  it.each(tunings)('meets every edge of its window: %s', (tuning) => {
    for (const length of [
      0, 1, 2, 3, 4, 5, 257, 258, 259, 262, 263, 32_768, 65_535, 65_536, 65_537, 65_800, 131_073,
    ]) {
      const bytes = material(length, length, 7, 0.95);
      expectSame(inflated(deflated([tuning, bytes])), bytes);
    }
  });

  it.each(tunings)('reaches back 32,768 bytes and no further: %s', (tuning) => {
    for (const back of [32_767, 32_768, 32_769]) {
      const bytes = material(200_000, back, back, 1);
      const packed = deflated([tuning, bytes]);
      expectSame(inflated(packed), bytes);
      if (tuning !== 'runs') expect(packed.length < 60_000).toBe(back <= 32_768);
    }
  });

  it('does not take what lies before its first byte for data', () => {
    for (const tuning of tunings) {
      const zeros = new Uint8Array(5000);
      expectSame(inflated(deflated([tuning, zeros])), zeros);
    }
  });

  it('limits codes to 15 bits, and the codes of their lengths to 7', () => {
    // Counts as Fibonacci numbers make the deepest tree of all.
    const counts = [1, 1];
    while (counts.length < 24) counts.push(counts.at(-1)! + counts.at(-2)!);
    const bytes = Uint8Array.from(
      counts.flatMap((count, symbol) => Array(Math.min(count, 9000)).fill(symbol * 7)),
    );
    const random = seededRandom(5);
    for (let i = bytes.length - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1));
      [bytes[i], bytes[j]] = [bytes[j]!, bytes[i]!];
    }
    for (const tuning of tunings) expectSame(inflated(deflated([tuning, bytes])), bytes);
  });

  it('adds next to nothing to what cannot be compressed, and little to what is short', () => {
    const noise = material(500_000, 9, 1, 0);
    for (const tuning of tunings) {
      expect(deflated([tuning, noise]).length).toBeLessThan(500_000 * 1.004);
      expect(deflated([tuning, new Uint8Array([1, 2, 3])]).length).toBeLessThan(14);
    }
  });

  it('packs as well as zlib does at its middle level', () => {
    const text = new TextEncoder().encode(
      Array.from({ length: 9000 }, (_, i) => `line ${(i * 7919) % 1000} of a text, ${i} `).join(''),
    );
    const rows = material(400_000, 3, 4801, 0.98);
    for (const bytes of [text, rows, material(300_000, 4, 300, 0.9)]) {
      expect(deflated(['cheapest', bytes]).length).toBeLessThan(
        deflateSync(bytes, { level: 6 }).length * 1.03,
      );
    }
  });

  it('searches as far as the tuning says', () => {
    const bytes = material(200_000, 4, 300, 0.9);
    const runs = deflated([bytes]);
    const residuals = deflated(['residuals', bytes]);
    const cheapest = deflated(['cheapest', bytes]);
    expect(residuals.length).toBeLessThan(runs.length);
    expect(cheapest.length).toBeLessThan(residuals.length);
  });

  it('loses nothing of rows of pixels, however wide they are and whatever was told of them', () => {
    const rows = fc.record({
      pixelBytes: fc.integer({ min: 0, max: 4 }),
      rowBytes: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 257, max: 40_000 })),
    });
    const bytes = fc
      .tuple(fc.nat(120_000), fc.nat(1000), fc.integer({ min: 1, max: 33_000 }), fc.integer({ max: 9 }))
      .map(([length, seed, back, tenths]) => material(length, seed, back, Math.abs(tenths % 10) / 9));
    fc.assert(
      fc.property(rows, bytes, fc.constantFrom(...tunings), (of, all, then) => {
        const half = all.length >> 1;
        const parts = ['cheapest', all.subarray(0, half), then, all.subarray(half), 'cheapest'] as const;
        expectSame(inflated(deflated(parts, of)), all);
      }),
      { numRuns: 60, seed: 12 },
    );
  });

  it('loses nothing of rows of pixels that repeat each other and themselves', () => {
    for (const pixelBytes of [0, 1, 2, 3, 4]) {
      for (const width of [1, 90, 341]) {
        const picture = textRows(width, 80, Math.max(1, pixelBytes));
        const rows = { pixelBytes, rowBytes: picture.rowBytes };
        expectSame(inflated(deflated(['cheapest', picture.bytes], rows)), picture.bytes);
      }
    }
  });

  it('packs text of pixels closer than zlib’s highest level', () => {
    for (const pixelBytes of [1, 3]) {
      const { bytes, rowBytes } = textRows(600, 240, pixelBytes);
      const packed = deflated(['cheapest', bytes], { pixelBytes, rowBytes }).length;
      expect(packed).toBeLessThan(deflateSync(bytes, { level: 9 }).length * 0.96);
    }
  });

  it('ends a block where symbols change', () => {
    const random = seededRandom(4);
    const half = (from: number) =>
      Uint8Array.from({ length: 12_000 }, () => from + Math.floor(random() * 16));
    const [a, b] = [half(0), half(100)];
    // One code for both takes a bit more a byte.
    for (const tuning of tunings) {
      const apart = deflated([tuning, a]).length + deflated([tuning, b]).length;
      expect(deflated([tuning, a, b]).length, tuning).toBeLessThan(apart + 600);
    }
  });

  it('finds what stands where a run ends, however many runs begin alike', () => {
    const random = seededRandom(5);
    const borders = Array.from({ length: 30 }, () => Array.from({ length: 14 }, () => 1 + random() * 255));
    const all: number[] = [];
    while (all.length < 200_000)
      all.push(...new Array(30 + Math.floor(random() * 170)).fill(0), ...borders[Math.floor(random() * 30)]!);
    const bytes = Uint8Array.from(all);
    // By the nearest runs alone 5,171 and 5,272 bytes.
    for (const [pixelBytes, most] of [
      [0, 5070],
      [1, 5150],
    ] as const) {
      const packed = deflated(['cheapest', bytes], { pixelBytes, rowBytes: 0 });
      expectSame(inflated(packed), bytes);
      expect(packed.length).toBeLessThan(most);
    }
  });

  it('begins anew after a restart, whatever was left', () => {
    const pieces: Uint8Array[] = [];
    using deflater = openDeflater('cheapest', (piece) => pieces.push(piece.slice()), testCore());
    for (const _ of deflater.writing(material(150_000, 1)));
    deflater.restart();
    pieces.length = 0;
    const bytes = material(150_000, 2);
    for (const _ of deflater.writing(bytes));
    deflater.finish();
    expectSame(inflated(joined(pieces)), bytes);
  });

  it('hands on the sink’s error', () => {
    using deflater = openDeflater(
      'runs',
      () => {
        throw new RangeError('no room');
      },
      testCore(),
    );
    const writing = () => {
      for (let turn = 0; turn < 8; turn++) for (const _ of deflater.writing(material(300_000, turn)));
    };
    expect(writing).toThrow('no room');
  });
});
