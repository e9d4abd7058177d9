import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { samplesOf } from '../../../src/codecs/jpeg/planes.ts';
import { type Core, createCore } from '../../../src/core/instance.ts';
import {
  JpegEncodeStatus,
  JpegSampling,
  JpegWriter,
  TOKEN_BUDGET,
  TOKENS_AT_ONCE,
} from '../../../src/core/jpeg/encode.ts';
import { isolateMemoryPool } from '../../../src/core/memory_pool.ts';
import { firstDifference } from '../../cases/decoder_cases.ts';
import { openJpeg, withoutWork } from '../../fixtures/open_jpeg.ts';
import { noisePicture, type Picture, photoPicture, readPicture } from '../../fixtures/raster.ts';

interface Choices {
  readonly sampling?: JpegSampling;
  readonly quality?: number;
  readonly tokenBytes?: number;
}

function openWriter(core: Core, { width, height }: { width: number; height: number }, choices: Choices = {}) {
  const { sampling = JpegSampling.full, quality = 92, tokenBytes = TOKEN_BUDGET } = choices;
  return new JpegWriter(core, {
    width,
    height,
    sampling,
    quality,
    sharpLimit: -1,
    sharpEdge: 64,
    tokenBytes,
  });
}

/** A core whose memory ends there. Never to be disposed of: another job would get its memory. */
function coreOfPages(pages: number): Core {
  const { take } = isolateMemoryPool;
  isolateMemoryPool.take = () => new WebAssembly.Memory({ initial: 3, maximum: pages });
  try {
    return createCore();
  } finally {
    isolateMemoryPool.take = take;
  }
}

/** All that the core emits, until the end. */
function collect(core: Core): () => Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  core.sink = (piece) => pieces.push(piece.slice());
  return () => new Uint8Array(Buffer.concat(pieces));
}

/** Rows as a decoder leaves them: in the core, before anything that reads them. @returns a view of them */
function placed(core: Core, pixels: Uint8Array): () => Uint8Array {
  const at = core.alloc(pixels.length + 64);
  core.view(at, pixels.length).set(pixels);
  return () => core.view(at, pixels.length);
}

function written(picture: Picture, choices: Choices = {}) {
  using core = createCore();
  const rows = placed(core, picture.pixels);
  const writer = openWriter(core, picture, choices);
  const file = collect(core);
  expect(writer.push(rows(), picture.height, false)).toBe(JpegEncodeStatus.ok);
  expect(writer.finish()).toBe(JpegEncodeStatus.ok);
  return file();
}

function pixelsOf(bytes: Uint8Array): Uint8Array {
  using raster = openJpeg(bytes);
  return readPicture(raster).pixels;
}

describe('Huffman tables from a part of the image', () => {
  it('hold a code for whatever comes later', () => {
    // The first rows are even; all the noise comes after the tables are made.
    const { width, height, pixels } = noisePicture(200, 160, 2);
    pixels.fill(128, 0, width * 4 * 24);
    for (const sampling of [JpegSampling.grey, JpegSampling.full, JpegSampling.halved]) {
      const picture = { width, height, pixels };
      const whole = written(picture, { sampling, quality: 100 });
      const early = written(picture, { sampling, quality: 100, tokenBytes: 40_000 });
      expect(early).not.toEqual(whole);
      expect(pixelsOf(early)).toEqual(pixelsOf(whole));
    }
  });

  it('cost little when they saw half', () => {
    const picture = photoPicture(1800, 1200, 4);
    const whole = written(picture);
    const half = written(picture, { tokenBytes: whole.length });
    expect(half.length).not.toBe(whole.length);
    expect(half.length / whole.length).toBeLessThan(1.02);
    expect(firstDifference(pixelsOf(half), pixelsOf(whole))).toBe('none');
  });
});

describe('tokens that wait for their tables', () => {
  /** Written 16 rows at a time. @returns the file, and the most bytes of it that a call gave */
  function writtenInParts({ width, height, pixels }: Picture, choices: Choices) {
    using core = createCore();
    const rows = placed(core, pixels);
    const writer = openWriter(core, { width, height }, choices);
    const pieces: Uint8Array[] = [];
    let [most, call] = [0, 0];
    core.sink = (piece) => {
      pieces.push(piece.slice());
      call += piece.length;
    };
    const counted = <Result>(work: () => Result): Result => {
      call = 0;
      const result = work();
      most = Math.max(most, call);
      return result;
    };
    for (let y = 0; y < height; y += 16) {
      const count = Math.min(16, height - y);
      while (counted(() => writer.writeTokens(count)) > 0);
      const strip = rows().subarray(y * width * 4, (y + count) * width * 4);
      counted(() => expect(writer.push(strip, count, false)).toBe(JpegEncodeStatus.ok));
    }
    while (counted(() => writer.writeTokens(0)) > 0);
    counted(() => expect(writer.finish()).toBe(JpegEncodeStatus.ok));
    return { file: new Uint8Array(Buffer.concat(pieces)), most };
  }

  it.each([
    ['more than are kept', 1200, 1500],
    ['all until the end', 1200, 700],
  ])('are written in parts: %s', (_name, width, height) => {
    const picture = noisePicture(width, height, 3, 'opaque');
    const whole = written(picture, { quality: 90 });
    const { file, most } = writtenInParts(picture, { quality: 90 });
    expect(whole.length).toBeGreaterThan(1.3 * TOKENS_AT_ONCE);
    expect(most).toBeLessThan(1.2 * TOKENS_AT_ONCE);
    expect(file.length / whole.length).toBeCloseTo(1, 3);
    expect(firstDifference(pixelsOf(file), pixelsOf(whole))).toBe('none');
  });

  it('end with the image, wherever its last MCU row ends', () => {
    for (const [width, height] of [
      [33, 1],
      [16, 16],
      [40, 23],
      [7, 50],
    ] as const) {
      const picture = noisePicture(width, height, 3, 'opaque');
      for (const sampling of [JpegSampling.grey, JpegSampling.full, JpegSampling.halved])
        expect(writtenInParts(picture, { sampling }).file).toEqual(written(picture, { sampling }));
    }
  });
});

describe('memory of a writer', () => {
  it('does not grow while rows are pushed, whatever they become', () => {
    const [width, height] = [8160, 6120];
    const { pixels } = noisePicture(width, 8, 5);
    for (let i = 0; i < pixels.length; i++) if ((i & 3) !== 3) pixels[i] = 100 + (pixels[i]! >> 4);
    using core = createCore();
    const rows = placed(core, pixels);
    const writer = openWriter(core, { width, height });
    const view = core.view(0, 16);
    let output = 0;
    core.sink = (piece) => {
      output += piece.length;
    };
    for (let y = 0; y < height; y += 8) expect(writer.push(rows(), 8, false)).toBe(JpegEncodeStatus.ok);
    expect(writer.finish()).toBe(JpegEncodeStatus.ok);
    expect(output).toBeGreaterThan(TOKEN_BUDGET);
    expect(view.length).toBe(16);
    expect(core.heldBytes).toBeLessThan(TOKEN_BUDGET + 1_000_000);
  });

  it('is an exception when even its rows do not fit', () => {
    const core = coreOfPages(20);
    expect(() => openWriter(core, { width: 65_535, height: 65_535 })).toThrow(
      expect.objectContaining({ kind: 'limit' }),
    );
  });

  it('is all reserved or none of it is used, wherever the memory ends', () => {
    let begun = 0;
    for (const width of [1, 1000, 4000, 65_535]) {
      for (const sampling of [JpegSampling.grey, JpegSampling.full, JpegSampling.halved]) {
        for (let pages = 3; pages < 40; pages++) {
          const core = coreOfPages(pages);
          const before = core.exports.mark();
          const bytes = core.exports.jpegEncodeBytes(width, sampling, 66_600);
          const fits = before + bytes <= pages * 65_536;
          expect(core.exports.jpegEncodeBegin(width, 8, sampling, 80, -1, 64, 66_600) !== 0).toBe(fits);
          if (fits) begun++;
        }
      }
    }
    expect(begun).toBeGreaterThan(100);
  });
});

describe('rows in the same core', () => {
  it('are read where they lie, and give the same file', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 70 }),
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(JpegSampling.grey, JpegSampling.full, JpegSampling.halved),
        fc.boolean(),
        (width, height, sampling, flatten) => {
          const { pixels } = noisePicture(width, height, width, flatten ? 'any' : 'opaque');
          using core = createCore();
          // Right below the writer's own memory, and guarded on both sides.
          const around = core.alloc(pixels.length + 32);
          core.view(around, pixels.length + 32).fill(7);
          const rows = () => core.view(around + 16, pixels.length);
          rows().set(pixels);
          const inPlace = collect(core);
          const writer = openWriter(core, { width, height }, { sampling });
          writer.push(rows(), height, flatten);
          writer.finish();

          // Row by row, each from the same place: what lies beyond a row is no part of it.
          using other = createCore();
          const inPieces = collect(other);
          const stride = width * 4;
          const row = other.alloc(stride + 64);
          const reference = openWriter(other, { width, height }, { sampling });
          for (let y = 0; y < height; y++) {
            other.view(row, stride).set(pixels.subarray(y * stride, (y + 1) * stride));
            reference.push(other.view(row, stride), 1, flatten);
          }
          reference.finish();
          expect(inPlace()).toEqual(inPieces());
          expect([...core.view(around, 16), ...core.view(around + 16 + pixels.length, 16)]).toEqual(
            new Array<number>(32).fill(7),
          );
        },
      ),
      { seed: 5, numRuns: 120 },
    );
  });

  it('may be samples, wherever in it they lie, and give the same file', () => {
    for (const sampling of [JpegSampling.grey, JpegSampling.full, JpegSampling.halved]) {
      for (const [width, height] of [
        [1, 1],
        [16, 16],
        [37, 29],
        [131, 70],
      ] as const) {
        const file = written(photoPicture(width, height, 6), { sampling });
        expect(rewritten(file, sampling)).toEqual(rewrittenByCopies(file, sampling));
      }
    }
  });
});

/** The file once more, from its own samples. */
function rewritten(file: Uint8Array, sampling: JpegSampling): Uint8Array {
  using raster = openJpeg(file);
  const output = collect(raster.core);
  const writer = openWriter(raster.core, raster, { sampling });
  for (const { rows, planes } of withoutWork(samplesOf(raster)!.bands())) writer.pushPlanes(rows, planes);
  writer.finish();
  return output();
}

/** The same in a core of its own, whose samples are copies. */
function rewrittenByCopies(file: Uint8Array, sampling: JpegSampling): Uint8Array {
  using raster = openJpeg(file);
  using core = createCore();
  const most = (raster.width + 256) * 16;
  const places = [0, 1, 2].map(() => core.alloc(most));
  const output = collect(core);
  const writer = openWriter(core, raster, { sampling });
  for (const { rows, planes } of withoutWork(samplesOf(raster)!.bands())) {
    const copies = planes.map(({ samples, stride }, component) => {
      const copy = core.view(places[component]!, samples.length);
      copy.set(samples);
      return { samples: copy, stride };
    });
    writer.pushPlanes(rows, copies);
  }
  writer.finish();
  return output();
}

describe('what stops a writer', () => {
  const picture = noisePicture(400, 400, 6);
  const pushAll = (writer: JpegWriter, rows: () => Uint8Array) => writer.push(rows(), picture.height, false);

  it('is whatever its sink throws, as soon as there is too much', () => {
    for (const tokenBytes of [40_000, TOKEN_BUDGET]) {
      using core = createCore();
      const rows = placed(core, picture.pixels);
      const writer = openWriter(core, picture, { tokenBytes });
      let taken = 0;
      core.sink = (piece) => {
        taken += piece.length;
        throw new RangeError('enough');
      };
      const stopped = () => {
        pushAll(writer, rows);
        if (tokenBytes === TOKEN_BUDGET) writer.finish();
      };
      expect(stopped).toThrow('enough');
      expect(taken).toBeLessThan(100_000);
    }
  });

  it('is a core without a sink', () => {
    using core = createCore();
    const rows = placed(core, picture.pixels);
    const writer = openWriter(core, picture);
    pushAll(writer, rows);
    expect(() => writer.finish()).toThrow('nobody takes');
  });

  it('is rows that are no longer there because their memory has grown', () => {
    using core = createCore();
    const writer = openWriter(core, picture);
    const rows = core.view(core.alloc(picture.pixels.length), picture.pixels.length);
    core.alloc(1 << 24);
    expect(() => writer.push(rows, picture.height, false)).toThrow('are not there');
    const planes = [0, 1, 2].map(() => ({ samples: rows, stride: 400 }));
    expect(() => writer.pushPlanes(8, planes)).toThrow('are not there');
  });
});
