import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { deflaterBytes } from '../../../src/codecs/png/deflate.ts';
import { DeflateStream, deflateStreamBytes } from '../../../src/core/deflate/deflate.ts';
import { createCore } from '../../../src/core/instance.ts';
import { joined } from '../../fixtures/png_writer.ts';
import { seededRandom } from '../../fixtures/random.ts';

const noise = (length: number) => {
  const random = seededRandom(length);
  return Uint8Array.from({ length }, () => random() * 256);
};

describe('DeflateStream', () => {
  it('holds what it says, however hard the bytes', () => {
    using core = createCore();
    const before = core.exports.mark();
    const stream = new DeflateStream(core, () => {});
    for (const _ of stream.writing(noise(400_000), 'cheapest'));
    stream.finish('cheapest');
    expect(core.exports.peakBytes() - before).toBe(deflaterBytes());
    expect(deflaterBytes()).toBeGreaterThanOrEqual(deflateStreamBytes());
  });

  it('hands out pieces in order, before the next is made', () => {
    using core = createCore();
    const pieces: Uint8Array[] = [];
    const stream = new DeflateStream(core, (piece) => pieces.push(piece.slice()));
    const bytes = noise(300_000);
    for (let at = 0; at < bytes.length; at += 1000)
      for (const _ of stream.writing(bytes.subarray(at, at + 1000), 'runs'));
    stream.finish('runs');
    expect(pieces.length).toBeGreaterThan(3);
    expect(Buffer.compare(inflateSync(joined(pieces)), bytes)).toBe(0);
  });

  it('works beside others in one core', () => {
    using core = createCore();
    const packed: Uint8Array[][] = [[], []];
    const streams = packed.map((pieces) => new DeflateStream(core, (piece) => pieces.push(piece.slice())));
    const inputs = [noise(90_000), new Uint8Array(90_000).fill(7)];
    for (let at = 0; at < 90_000; at += 30_000) {
      for (const [i, stream] of streams.entries())
        for (const _ of stream.writing(inputs[i]!.subarray(at, at + 30_000), 'residuals'));
    }
    for (const stream of streams) stream.finish('residuals');
    for (const [i, pieces] of packed.entries())
      expect(Buffer.compare(inflateSync(joined(pieces)), inputs[i]!)).toBe(0);
  });

  it('is not touched by the codes of a fixed block, of its own or of another stream in the core', () => {
    using core = createCore();
    const pieces: Uint8Array[] = [];
    const stream = new DeflateStream(core, (piece) => pieces.push(piece.slice()));
    const short = new DeflateStream(core, () => {});
    const steps = Uint8Array.from({ length: 200_000 }, (_, i) => (i * i) >> 7);
    for (let at = 0; at < steps.length; at += 20_000) {
      // So few bytes are written with the fixed codes.
      short.restart();
      for (const _ of short.writing(new Uint8Array([1, 2, 3]), 'residuals'));
      short.finish('residuals');
      for (const _ of stream.writing(steps.subarray(at, at + 20_000), 'residuals'));
    }
    stream.finish('residuals');
    expect(Buffer.compare(inflateSync(joined(pieces)), steps)).toBe(0);
    pieces.length = 0;
    stream.restart();
    for (const _ of stream.writing(new Uint8Array([1, 2, 3]), 'residuals'));
    stream.finish('residuals');
    pieces.length = 0;
    stream.restart();
    for (const _ of stream.writing(steps, 'residuals'));
    stream.finish('residuals');
    expect(Buffer.compare(inflateSync(joined(pieces)), steps)).toBe(0);
  });

  it('bytes that an earlier stream left behind the last one chose among matches', () => {
    using core = createCore();
    const pieces: Uint8Array[] = [];
    const stream = new DeflateStream(core, (piece) => pieces.push(piece.slice()));
    const random = seededRandom(31);
    // Few words again and again, so that the last bytes have matches too short or just long enough.
    const words = Array.from({ length: 6 }, () =>
      Array.from({ length: 3 + random() * 9 }, () => random() * 4),
    );
    const packed = (before: number, bytes: Uint8Array, tuning: 'residuals' | 'cheapest') => {
      stream.restart();
      for (const _ of stream.writing(new Uint8Array(2000).fill(before), 'residuals'));
      stream.finish('residuals');
      pieces.length = 0;
      stream.restart();
      for (const _ of stream.writing(bytes, tuning));
      stream.finish(tuning);
      return Buffer.from(joined(pieces)).toString('hex');
    };
    for (let round = 0; round < 300; round++) {
      const bytes = Uint8Array.from(
        Array.from({ length: 20 + random() * 60 }, () => words[Math.floor(random() * 6)]!).flat(),
      ).subarray(Math.floor(random() * 5));
      for (const tuning of ['residuals', 'cheapest'] as const) {
        const outputs = [0, 1, 3, 255].map((before) => packed(before, bytes, tuning));
        expect(new Set(outputs).size, `round ${round}, ${tuning}`).toBe(1);
      }
    }
  });

  it('prices of a stream that begins with runs were what lay in its memory', () => {
    const packed = (before: number, then: 'residuals' | 'cheapest', pixelBytes: number) => {
      using core = createCore();
      const used = core.region();
      const bytes = deflateStreamBytes() + 1024;
      core.view(core.alloc(bytes), bytes).fill(before);
      used[Symbol.dispose]();
      const pieces: Uint8Array[] = [];
      const stream = new DeflateStream(core, (piece) => pieces.push(piece.slice()));
      stream.restart({ pixelBytes, rowBytes: 601 });
      // Past the position whose low half is 0, which an empty entry of a table means.
      for (const _ of stream.writing(material.subarray(0, 90_000), 'runs'));
      for (const _ of stream.writing(material.subarray(90_000), then));
      stream.finish(then);
      expect(Buffer.compare(inflateSync(joined(pieces)), material)).toBe(0);
      return Buffer.from(joined(pieces)).toString('hex');
    };
    const random = seededRandom(12);
    const material = Uint8Array.from({ length: 180_000 }, () => (random() * random() * 40) & 255);
    for (const then of ['residuals', 'cheapest'] as const)
      for (const pixelBytes of [0, 1, 3])
        expect(
          new Set([0, 1, 0x40, 0xff].map((before) => packed(before, then, pixelBytes))).size,
          `${then}, ${pixelBytes}`,
        ).toBe(1);
  });

  it('says when there is no memory for it', () => {
    using core = createCore();
    const { exports } = core;
    const full = Object.create(core, { exports: { value: { ...exports, deflateOpen: () => 0 } } });
    expect(() => new DeflateStream(full, () => {})).toThrow(expect.objectContaining({ kind: 'limit' }));
  });
});
