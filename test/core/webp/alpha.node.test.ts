import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { type Core, createCore } from '../../../src/core/instance.ts';
import { alphaDecoderBytes, WebpAlphaFile } from '../../../src/core/webp/alpha.ts';
import { Fault } from '../../../src/faults.ts';
import { webpByJsquash } from '../../fixtures/jsquash_webp.ts';
import { seededBelow } from '../../fixtures/random.ts';
import { noisePicture, type Picture } from '../../fixtures/raster.ts';
import { pixelsBySharp } from '../../fixtures/sharp_reader.ts';
import { sameBytes } from '../../fixtures/webp_lossless_rows.ts';
import { type StreamPlan, writeLossless } from '../../fixtures/webp_lossless_writer.ts';
import { softEdges } from '../../fixtures/webp_pictures.ts';
import { chunkOf, riffChunk, vp8x, webp } from '../../fixtures/webp_writer.ts';

function openAlpha(core: Core, payload: Uint8Array, width: number, height: number): WebpAlphaFile {
  const at = core.alloc(payload.length);
  core.view(at, payload.length).set(payload);
  return new WebpAlphaFile(core, at, payload.length, width, height);
}

function readAlpha(file: WebpAlphaFile): Uint8Array {
  const whole = new Uint8Array(file.width * file.height);
  for (let y = 0; y < file.height; y++) whole.set(file.row(), y * file.width);
  return whole;
}

function decode(payload: Uint8Array, width: number, height: number): Uint8Array {
  using core = createCore();
  return readAlpha(openAlpha(core, payload, width, height));
}

/** A chunk's payload. */
const alph = (header: number, data: Uint8Array) => Uint8Array.from([header, ...data]);

const alphaOf = (rgba: Uint8Array) => rgba.filter((_, i) => i % 4 === 3);

/** A lossy file of this size whose alpha is such a chunk. */
async function around(alph: Uint8Array, width: number, height: number): Promise<Uint8Array> {
  const still = await sharp({ create: { width, height, channels: 3, background: '#246' } })
    .webp()
    .toBuffer();
  return webp([
    vp8x(width, height, 0x10),
    riffChunk('ALPH', alph),
    riffChunk('VP8 ', chunkOf(still, 'VP8 ')!),
  ]);
}

/** Alpha in every way that it comes: edges, noise, few levels, none at all. */
const planes: readonly (readonly [name: string, picture: Picture])[] = [
  ['1 × 1', noisePicture(1, 1, 1, 'any')],
  ['one row', softEdges(90, 1, 2)],
  ['one column', softEdges(1, 70, 3)],
  ['soft edges', softEdges(141, 97, 4)],
  ['noise', noisePicture(63, 50, 5, 'any')],
  ...[2, 4, 16].map((levels) => [`${levels} levels`, levelled(softEdges(133, 61, 6), levels)] as const),
];

function levelled(picture: Picture, levels: number): Picture {
  const { pixels } = picture;
  for (let i = 3; i < pixels.length; i += 4) {
    pixels[i] = Math.round(Math.floor((pixels[i]! * levels) / 256) * (255 / (levels - 1)));
  }
  return picture;
}

describe("alpha of libwebp's encoder", () => {
  // All others: test/codecs/webp/cwebp.slow.node.test.ts.
  const ways = [
    { alpha_compression: 0, alpha_filtering: 0, alpha_quality: 100 },
    { alpha_compression: 1, alpha_filtering: 1, alpha_quality: 60 },
    { alpha_compression: 1, alpha_filtering: 2, alpha_quality: 100 },
  ];

  it.each(ways)('is read as libwebp reads it: %j', async (settings) => {
    let read = 0;
    for (const [name, picture] of planes) {
      const file = await webpByJsquash(picture, { quality: 30, ...settings });
      const payload = chunkOf(file, 'ALPH');
      if (!payload) continue;
      read += 1;
      const expected = alphaOf((await pixelsBySharp(file))!);
      if (!sameBytes(decode(payload, picture.width, picture.height), expected)) {
        expect.fail(`${name}: alpha differs from libwebp's`);
      }
    }
    expect(read).toBeGreaterThan(5);
  });
});

const PLAIN: StreamPlan = { width: 37, height: 23, transforms: [], cacheBits: 0, blockBits: 2 };

describe('alpha that no encoder writes', () => {
  it('is compressed in any way, and filtered in any way', async () => {
    for (let seed = 1; seed <= 50; seed++) {
      const random = seededBelow(seed);
      const transforms = [
        [],
        ['indexing'],
        ['predictor'],
        ['green', 'indexing'],
        ['indexing', 'predictor', 'colour'],
      ][random(5)]!;
      const plan = {
        width: 1 + random(80),
        height: 1 + random(40),
        transforms: transforms as StreamPlan['transforms'],
        cacheBits: random(3) === 0 ? 1 + random(11) : 0,
        colours: 1 + random([2, 4, 16, 256][random(4)]!),
        blockBits: 2 + random(8),
        ...(random(3) === 0 && { groupNumbers: [random(30), random(5), random(300)] }),
        symbols: [1 + random(256), random(4) === 0 ? 4 : 1] as const,
        references: random(60),
      };
      const header = 1 | (random(4) << 2) | (random(2) << 4);
      const payload = alph(header, writeLossless(plan, random, true));
      const expected = await pixelsBySharp(await around(payload, plan.width, plan.height));
      if (!expected) expect.fail(`stream ${seed}: libwebp refuses what was written`);
      if (!sameBytes(decode(payload, plan.width, plan.height), alphaOf(expected))) {
        expect.fail(`stream ${seed}: alpha differs from libwebp's`);
      }
    }
  });

  it('is raw, and filtered in any way', async () => {
    const { pixels } = noisePicture(41, 20, 9);
    for (const filter of [0, 1, 2, 3]) {
      const payload = alph(filter << 2, pixels.subarray(0, 41 * 20 + 2));
      const expected = await pixelsBySharp(await around(payload, 41, 20));
      expect(sameBytes(decode(payload, 41, 20), alphaOf(expected!))).toBe(true);
    }
  });

  it('refers as far back as can be said', async () => {
    for (const transforms of [['indexing'], ['predictor']] as const) {
      const plan: StreamPlan = {
        ...{ width: 1021, height: 1100, transforms, cacheBits: 0, blockBits: 7 },
        ...{ references: 97, far: true, symbols: [256, 1] },
      };
      const payload = alph(1, writeLossless(plan, seededBelow(7), true));
      const expected = await pixelsBySharp(await around(payload, plan.width, plan.height));
      expect(sameBytes(decode(payload, plan.width, plan.height), alphaOf(expected!))).toBe(true);
    }
  });
});

describe('alpha in a core', () => {
  const narrow = Uint8Array.of(
    9,
    ...writeLossless({ ...PLAIN, transforms: ['indexing'], symbols: [200, 1] }, seededBelow(1), true),
  );
  const wide = Uint8Array.of(
    13,
    ...writeLossless({ ...PLAIN, transforms: ['predictor'] }, seededBelow(2), true),
  );
  const raw = alph(4, noisePicture(37, 23, 3).pixels.subarray(0, 37 * 23));

  it('goes in step with rows of colours, and begins again', () => {
    for (const payload of [narrow, wide, raw]) {
      using core = createCore();
      const file = openAlpha(core, payload, 37, 23);
      const whole = readAlpha(file);
      expect(() => file.row()).toThrow(/no rows of alpha left/);
      for (const height of [1, 5, 23]) {
        const { pixels } = noisePicture(37, 23, 4);
        const at = core.alloc(pixels.length);
        core.view(at, pixels.length).set(pixels);
        file.restart();
        for (let y = 0; y < 23; y += height) {
          const rows = Math.min(height, 23 - y);
          file.merge(core.view(at + y * 37 * 4, rows * 37 * 4), rows);
        }
        const merged = core.view(at, pixels.length);
        expect(sameBytes(alphaOf(merged), whole)).toBe(true);
        expect(merged.every((byte, i) => i % 4 === 3 || byte === pixels[i])).toBe(true);
      }
      const strip = core.view(core.alloc(37 * 4), 37 * 4);
      expect(() => file.merge(strip, 1)).toThrow(/no rows of alpha left/);
      expect(() => file.merge(strip, 2)).toThrow(/promised/);
      expect(() => file.merge(new Uint8Array(37 * 4), 1)).toThrow(/do not lie in the core/);
    }
  });

  it('takes what was predicted, all of it before the first row', () => {
    // In the last one the smallest blocks make a side image that the ring of single bytes has no room for.
    const large = { ...PLAIN, width: 4003, height: 411, blockBits: 2, groupNumbers: [0, 1], references: 0 };
    const cases = [
      [narrow, 37, 23],
      [wide, 37, 23],
      [raw, 37, 23],
      [alph(1, writeLossless({ ...large, symbols: [2, 1] }, seededBelow(3), true)), 4003, 411],
    ] as const;
    for (const [payload, width, height] of cases) {
      using core = createCore();
      const at = core.alloc(payload.length);
      core.view(at, payload.length).set(payload);
      const before = core.exports.mark();
      const file = new WebpAlphaFile(core, at, payload.length, width, height);
      const compressed = (payload[0]! & 3) === 1;
      const { fixed, worst } = alphaDecoderBytes({ width, height, compressed, wide: file.wide });
      expect(core.exports.mark() - before).toBe(fixed + file.sideBytes);
      readAlpha(file);
      expect(core.exports.peakBytes() - before).toBe(fixed + file.sideBytes);
      expect(alphaDecoderBytes({ width, height, compressed }).worst).toBeGreaterThanOrEqual(worst);
    }
    const sizes = { width: 4000, height: 3000, compressed: true };
    expect(alphaDecoderBytes({ ...sizes, wide: false }).fixed).toBeLessThan(1.1e6);
    expect(alphaDecoderBytes(sizes).fixed).toBeLessThan(5.4e6);
    expect(alphaDecoderBytes({ ...sizes, compressed: false }).worst).toBeLessThan(9e3);
  });

  it('is refused with a header that does not exist, as libwebp does', async () => {
    for (let header = 0; header < 256; header++) {
      const payload = alph(header, new Uint8Array(15).fill(100));
      if ((header & 3) === 1) continue;
      const expected = await pixelsBySharp(await around(payload, 5, 3));
      if (expected) expect(sameBytes(decode(payload, 5, 3), alphaOf(expected))).toBe(true);
      else expect(() => decode(payload, 5, 3)).toThrow(/header holds values/);
    }
    expect(() => decode(new Uint8Array(0), 5, 3)).toThrow(Fault);
  });
});
