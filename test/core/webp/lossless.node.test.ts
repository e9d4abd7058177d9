import { describe, expect, it } from 'vitest';
import { createCore } from '../../../src/core/instance.ts';
import {
  losslessDecoderBytes,
  losslessStripRows,
  WebpLosslessFile,
} from '../../../src/core/webp/lossless.ts';
import { webpByJsquash } from '../../fixtures/jsquash_webp.ts';
import { seededBelow } from '../../fixtures/random.ts';
import { pixelsBySharp } from '../../fixtures/sharp_reader.ts';
import { decodeLossless, openLossless, readLossless, sameBytes } from '../../fixtures/webp_lossless_rows.ts';
import { type StreamPlan, writeLossless } from '../../fixtures/webp_lossless_writer.ts';
import { webpPictures } from '../../fixtures/webp_pictures.ts';
import { chunkOf } from '../../fixtures/webp_writer.ts';
import { checkAnyStreams, checkSparseGroups, expectAsLibwebp, orders, TRANSFORMS } from './lossless_suite.ts';

describe("lossless files of libwebp's encoder", () => {
  // All others: test/codecs/webp/cwebp.slow.node.test.ts.
  const efforts = [
    { exact: 1, method: 3, quality: 50 },
    { exact: 1, method: 1, quality: 90 },
    { near_lossless: 40 },
  ];

  it.each(efforts)('are read as libwebp reads them: %j', async (settings) => {
    for (const [name, picture] of webpPictures) {
      const file = await webpByJsquash(picture, { lossless: 1, ...settings });
      if (!sameBytes(decodeLossless(chunkOf(file, 'VP8L')!), (await pixelsBySharp(file))!))
        expect.fail(`${name}: pixels differ from libwebp's`);
    }
  });
});

describe('lossless files of libvips', () => {
  it('are read as it reads them', async () => {
    const { default: sharp } = await import('sharp');
    for (const [name, { width, height, pixels }] of webpPictures) {
      const image = () => sharp(pixels, { raw: { width, height, channels: 4 } });
      for (const options of [
        { effort: 0 },
        { effort: 6 },
        { effort: 2, exact: true },
        { nearLossless: true, quality: 20 },
      ]) {
        const file = await image()
          .webp({ lossless: true, ...options })
          .toBuffer();
        if (!sameBytes(decodeLossless(chunkOf(file, 'VP8L')!), (await pixelsBySharp(file))!))
          expect.fail(`${name}: pixels differ`);
      }
    }
  });
});

const PLAIN: StreamPlan = { width: 43, height: 29, transforms: [], cacheBits: 0, blockBits: 2 };

describe('streams that no encoder writes', () => {
  it('have transforms in any order', async () => {
    for (const transforms of orders(TRANSFORMS)) {
      for (const colours of transforms.includes('indexing') ? [2, 4, 13, 200] : [256]) {
        const payload = writeLossless({ ...PLAIN, transforms, colours, blockBits: 3 }, seededBelow(colours));
        await expectAsLibwebp(payload, `${transforms.join(', ')}, ${colours} colours`);
      }
    }
  });

  it.each(Array.from({ length: 16 }, (_, mode) => mode))('have predictor %i everywhere', async (mode) => {
    for (const [width, height] of [
      [1, 9],
      [2, 5],
      [9, 1],
      [5, 5],
      [64, 33],
      [131, 20],
    ] as const) {
      const plan = { ...PLAIN, width, height, transforms: ['predictor'] as const, modes: [mode] };
      await expectAsLibwebp(writeLossless(plan, seededBelow(width)), `${width} × ${height}`);
    }
  });

  it('have colour caches of any size', async () => {
    for (let cacheBits = 1; cacheBits <= 11; cacheBits++) {
      for (const transforms of [[], ['green'], ['indexing', 'predictor']] as const) {
        const plan = { ...PLAIN, width: 90, transforms, cacheBits, references: 30 };
        await expectAsLibwebp(writeLossless(plan, seededBelow(cacheBits)), `${cacheBits} bits`);
      }
    }
  });

  it('have palettes of any packing, and indices beyond them', async () => {
    for (const colours of [1, 2, 3, 4, 5, 15, 16, 17, 100, 255, 256]) {
      for (const width of [1, 2, 3, 7, 8, 9, 33]) {
        const plan = { ...PLAIN, width, transforms: ['indexing'] as const, colours };
        await expectAsLibwebp(
          writeLossless(plan, seededBelow(colours + width)),
          `${colours} colours, ${width} wide`,
        );
      }
    }
  });

  it('have sparse numbers of prefix code groups', async () => {
    await checkSparseGroups([[0], [7], [60, 2, 40, 41]]);
  });

  it('have references as far back as can be said', async () => {
    for (const [width, height] of [
      [1021, 1100],
      [16_383, 70],
    ] as const) {
      for (const transforms of [[], ['predictor', 'green']] as const) {
        const plan = { width, height, transforms, cacheBits: 3, blockBits: 7, references: 97, far: true };
        await expectAsLibwebp(writeLossless(plan, seededBelow(width)), `${width} × ${height}`);
      }
    }
  });

  it('are anything at all', async () => {
    await checkAnyStreams(1, 60);
  });
});

describe('a lossless stream that does not announce alpha', () => {
  it('is opaque, whatever alpha its pixels have', async () => {
    const payload = writeLossless({ ...PLAIN, transforms: ['green'] }, seededBelow(11));
    expect(readAlphas(decodeLossless(payload))).not.toEqual(new Set([255]));
    payload[4]! &= ~0x10;
    expect(readAlphas(decodeLossless(payload))).toEqual(new Set([255]));
    await expectAsLibwebp(payload, 'without alpha');
  });
});

const readAlphas = (pixels: Uint8Array) => new Set(pixels.filter((_, at) => at % 4 === 3));

describe('a lossless stream in a core', () => {
  const photo = { ...PLAIN, width: 150, height: 90, transforms: TRANSFORMS.slice(0, 3), blockBits: 4 };
  const payload = writeLossless(photo, seededBelow(5));

  it('comes in strips of any height, again and again', () => {
    const whole = decodeLossless(payload);
    for (const rows of [1, 3, 16, 89, 90, 1000]) {
      using core = createCore();
      const file = openLossless(core, payload, rows);
      expect(file).toMatchObject({ width: 150, height: 90, alphaUsed: true });
      for (let reading = 0; reading < 3; reading++) expect(sameBytes(readLossless(file), whole)).toBe(true);
      // One that is left early, and one that a later one ends.
      for (const strip of file.rows()) if (strip.y >= 30) break;
      const first = file.rows();
      first.next();
      expect(sameBytes(readLossless(file), whole)).toBe(true);
      expect(() => first.next()).toThrow(/ended when another/);
    }
  });

  it('takes what was predicted, all of it before the first row', async () => {
    const streams = await Promise.all([
      payload,
      writeLossless({ ...photo, groupNumbers: [4, 9, 2], cacheBits: 6 }, seededBelow(6)),
      writeLossless({ ...photo, transforms: ['indexing', 'predictor'], colours: 4 }, seededBelow(7)),
      writeLossless({ ...PLAIN, width: 1, height: 1, groupNumbers: [300] }, seededBelow(8)),
      writeLossless({ ...PLAIN, width: 4001, height: 300, symbols: [1, 1], references: 0 }, seededBelow(9)),
    ]);
    for (const stream of streams) {
      for (const rows of [undefined, 1, 16]) {
        using core = createCore();
        const at = core.alloc(stream.length);
        core.view(at, stream.length).set(stream);
        const before = core.exports.mark();
        const file = new WebpLosslessFile(core, at, stream.length, rows);
        const { width, height } = file;
        const { fixed, worst } = losslessDecoderBytes(
          width,
          height,
          rows ?? losslessStripRows(width, height),
        );
        expect(core.exports.mark() - before).toBe(fixed + file.sideBytes);
        expect(fixed + file.sideBytes).toBeLessThanOrEqual(worst);
        readLossless(file);
        expect(core.exports.peakBytes() - before).toBe(fixed + file.sideBytes);
      }
    }
    // A ring of 2^20 pixels, 4 MB of codes, and 6 bytes for each block of 16 pixels.
    expect(losslessDecoderBytes(8160, 6120).worst).toBeLessThan(10.3e6);
  });
});
