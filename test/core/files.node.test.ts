import { describe, expect, it } from 'vitest';
import { Av1Picture } from '../../src/core/av1/picture.ts';
import { type Core, createCore } from '../../src/core/instance.ts';
import { WebpAlphaFile } from '../../src/core/webp/alpha.ts';
import { WebpLosslessFile } from '../../src/core/webp/lossless.ts';
import { LossyFrame } from '../../src/core/webp/lossy.ts';
import { Fault } from '../../src/faults.ts';
import { keptStream } from '../fixtures/av1/kept_streams.ts';
import { randomJpeg } from '../fixtures/jpeg_writer/samples.ts';
import { writeJpeg } from '../fixtures/jpeg_writer/writer.ts';
import { mutate } from '../fixtures/mutations.ts';
import { jpegFileIn } from '../fixtures/open_jpeg.ts';
import { seededBelow } from '../fixtures/random.ts';
import { noisePicture } from '../fixtures/raster.ts';
import { firstPartitionBytes, randomVp8 } from '../fixtures/vp8_writer.ts';
import { writeLossless } from '../fixtures/webp_lossless_writer.ts';

/** A format's decoder inside a core, by its binding. */
interface Decoder {
  readonly name: string;
  /** Files that it decodes in different ways. */
  readonly files: readonly [Uint8Array, ...Uint8Array[]];
  /** The first of them, changed or cut where its rows are coded. */
  readonly damaged: Uint8Array;
  /** Opens a file and reserves what it takes. @returns what reads it, from its first row on */
  open(core: Core, file: Uint8Array): () => void;
  /** Exports that give 0 where there is no memory. */
  readonly reserving: readonly Export[];
  /** The export that decodes rows. */
  readonly next: Export;
  /** Where other tests do not change it: the bytes of its size, which limits elsewhere are for. */
  readonly head?: number;
}
type Export = keyof Core['exports'];

function laid(core: Core, file: Uint8Array): readonly [at: number, length: number] {
  const at = core.alloc(file.length);
  core.view(at, file.length).set(file);
  return [at, file.length];
}

const readAll = (rows: Iterable<unknown>) => {
  for (const _ of rows);
};

const jpeg = writeJpeg(randomJpeg({ width: 40, height: 40, sampling: [[1, 1]], mode: 'baseline', seed: 9 }));
const lossy = randomVp8({ width: 45, height: 75, quantiser: 40, level: 20, updates: 300, partitions: 0 }, 1);
const size = { width: 43, height: 29 };
const plain = { ...size, cacheBits: 0, blockBits: 2 };
const coloured = { ...plain, transforms: ['predictor', 'green'] as const };
const indexed = { ...plain, transforms: ['indexing'] as const };
const lossless = writeLossless(coloured, seededBelow(9));
/** A chunk of alpha: its header, and a picture without one of its own or the samples themselves. */
const alpha = (header: number, data: Uint8Array) => Uint8Array.of(header, ...data);
const wideAlpha = alpha(13, writeLossless(coloured, seededBelow(2), true));
const RAW_ALPHA = 4;
const rawAlpha = noisePicture(size.width, size.height, 3).pixels.subarray(0, size.width * size.height);
const av1 = keptStream('still-420-8');

const decoders: readonly Decoder[] = [
  {
    name: 'JPEG',
    files: [jpeg],
    damaged: jpeg.subarray(0, -20),
    open(core, file) {
      const opened = jpegFileIn(core, file);
      opened.reserve(8);
      return () => readAll(opened.rows(0, 40));
    },
    reserving: ['jpegDecodeOpen', 'jpegDecodeReserve'],
    next: 'jpegDecodeNext',
  },
  {
    name: 'lossy WebP',
    files: [lossy],
    damaged: lossy.subarray(0, 10 + firstPartitionBytes(lossy) + 30),
    open(core, file) {
      const opened = new LossyFrame(core, ...laid(core, file));
      opened.reserve();
      return () => readAll(opened.rows());
    },
    reserving: ['webpLossyOpen', 'webpLossyReserve'],
    next: 'webpLossyNext',
  },
  {
    name: 'lossless WebP',
    files: [
      lossless,
      writeLossless({ ...indexed, colours: 2 }, seededBelow(3)),
      writeLossless({ ...indexed, colours: 9, cacheBits: 3 }, seededBelow(2)),
      writeLossless({ ...coloured, cacheBits: 4, groupNumbers: [0, 3] }, seededBelow(2)),
      writeLossless(
        { ...plain, transforms: ['predictor', 'colour', 'green'], references: 30 },
        seededBelow(1),
      ),
      writeLossless(
        { ...plain, transforms: [], groupNumbers: [0, 1, 2, 40], symbols: [9, 3] },
        seededBelow(3),
      ),
      writeLossless({ ...plain, height: 200, transforms: ['green'], cacheBits: 11 }, seededBelow(4)),
    ],
    damaged: lossless.subarray(0, -30),
    open(core, file) {
      const opened = new WebpLosslessFile(core, ...laid(core, file));
      return () => readAll(opened.rows());
    },
    reserving: ['webpLosslessOpen'],
    next: 'webpLosslessNext',
    head: 5,
  },
  {
    name: 'alpha of a WebP',
    files: [
      wideAlpha,
      alpha(9, writeLossless({ ...indexed, symbols: [200, 1] }, seededBelow(1), true)),
      alpha(RAW_ALPHA, rawAlpha),
    ],
    damaged: wideAlpha.subarray(0, -40),
    open(core, file) {
      const opened = new WebpAlphaFile(core, ...laid(core, file), size.width, size.height);
      return () => {
        opened.restart();
        for (let y = 0; y < size.height; y++) opened.row();
      };
    },
    reserving: ['webpAlphaOpen'],
    next: 'webpAlphaRow',
    head: 0,
  },
  {
    name: 'AV1',
    files: [av1],
    damaged: av1.map((byte, at) => (at > av1.length / 2 ? byte ^ 0x55 : byte)),
    open(core, file) {
      const opened = new Av1Picture(core, ...laid(core, file));
      opened.reserve();
      return () => readAll(opened.rows());
    },
    reserving: ['av1Open', 'av1Reserve'],
    next: 'av1Next',
  },
];

/** A core one of whose exports is another function. */
const withExport = (name: Export, call: () => number): Core => {
  const core = createCore();
  return { ...core, exports: Object.create(core.exports, { [name]: { value: call } }) };
};
const throwing = (error: Error) => () => {
  throw error;
};
const limit = expect.objectContaining({ kind: 'limit' });
const decoding = expect.objectContaining({ kind: 'decoding' });

describe.each(decoders)('$name in a core', ({ files, damaged, open, reserving, next }) => {
  const [file] = files;

  it('is dropped after a fault', () => {
    using core = createCore();
    const read = open(core, damaged);
    expect(read).toThrow(decoding);
    expect(read).toThrow(/dropped/);
  });

  it('can’t be read in a core that was given back', () => {
    const core = createCore();
    const read = open(core, file);
    read();
    core[Symbol.dispose]();
    expect(read).toThrow(/closed|given back/);
  });

  it('takes a trap of the core for a fault of the file', () => {
    const trap = throwing(new WebAssembly.RuntimeError('unreachable'));
    for (const name of reserving) expect(() => open(withExport(name, trap), file)).toThrow(Fault);
    const read = open(withExport(next, trap), file);
    expect(read).toThrow(decoding);
    expect(read).toThrow(/dropped/);
  });

  it('finds no memory where there is none: a limit', () => {
    for (const name of reserving) {
      expect(() =>
        open(
          withExport(name, () => 0),
          file,
        ),
      ).toThrow(limit);
      expect(() => open(withExport(name, throwing(new RangeError('memory'))), file)).toThrow(limit);
    }
  });

  it('writes to nothing but its own memory', () => {
    for (const each of files) {
      using core = createCore();
      const before = core.alloc(4096);
      const read = open(core, each);
      const after = core.alloc(4096);
      for (const at of [before, after]) core.view(at, 4096).fill(0xa5);
      read();
      for (const at of [before, after]) expect(core.view(at, 4096).every((byte) => byte === 0xa5)).toBe(true);
    }
  });
});

/** How reading a file ends: what it throws, if anything. */
function faultOf(open: Decoder['open'], file: Uint8Array): unknown {
  using core = createCore();
  try {
    open(core, file)();
  } catch (error) {
    return error;
  }
}
/** A fault that the decoder has found, not a trap. */
const isFound = (fault: unknown) => fault instanceof Fault && !/make sense/.test(fault.message);

describe.each(decoders.filter(({ head }) => head !== undefined))('$name, hostile', (decoder) => {
  const { files, open, head = 0 } = decoder;

  it('is refused wherever it is cut, naming the row', () => {
    for (const file of files.slice(0, 4)) {
      let rows = 0;
      for (let length = 0; length < file.length; length++) {
        const fault = faultOf(open, file.subarray(0, length)) as Fault;
        expect(isFound(fault), `${length}: ${fault}`).toBe(true);
        expect(fault.kind).toBe('decoding');
        if (/ends early \(row \d+ of \d+ reached\)/.test(fault.message)) rows++;
      }
      expect(rows).toBeGreaterThan(file[0] === RAW_ALPHA ? -1 : 20);
    }
  });

  it('survives mutations: a fault or a picture', () => {
    const random = seededBelow(77);
    const counts = { read: 0, refused: 0 };
    for (let turn = 0; turn < 5000; turn++) {
      const file = files[turn % files.length]!;
      const mutant = mutate(file, random);
      mutant.set(file.subarray(0, Math.min(head, mutant.length)));
      const fault = faultOf(open, mutant);
      if (fault !== undefined && !isFound(fault))
        throw new Error(`mutant ${Buffer.from(mutant).toString('hex')}`, { cause: fault });
      counts[fault === undefined ? 'read' : 'refused']++;
    }
    expect(Math.min(counts.read, counts.refused)).toBeGreaterThan(50);
  });
});
