import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { webpEncoder } from '../../../src/codecs/webp/encoder.ts';
import { predictedOutputBytes, writerBytes } from '../../../src/codecs/webp/encoder_cost.ts';
import { ROW_SLACK } from '../../../src/core/constants.ts';
import { createCore } from '../../../src/core/instance.ts';
import { scratchBytes } from '../../../src/core/sizes.ts';
import { totalBytes } from '../../../src/memory/memory_cost.ts';
import { outputBufferBytes } from '../../../src/memory/output_buffer.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { uninterrupted } from '../../../src/scheduling/time_slice.ts';
import { rowsWork } from '../../../src/scheduling/work.ts';
import { encoderCases, meanDifference } from '../../cases/encoder_cases.ts';
import { noisePicture, type Picture, photoPicture, rasterOf } from '../../fixtures/raster.ts';
import { readBySharp } from '../../fixtures/sharp_reader.ts';
import { smoothPictures, softEdges } from '../../fixtures/webp_pictures.ts';
import { chunkOf } from '../../fixtures/webp_writer.ts';

const ROOM = 1 << 28;
const STRIP_ROWS = 16;

async function encode(picture: Picture, quality = 90): Promise<Uint8Array> {
  using output = await webpEncoder.encode(rasterOf(picture), quality, ROOM);
  return output.bytes.slice();
}

const alphaOf = ({ pixels }: Picture) => pixels.filter((_, i) => i % 4 === 3);

/** How far the mean chroma (Rec. 601) of areas of 16 × 16 pixels is off, as RMS. */
function chromaDrift(picture: Picture, read: Picture): number {
  const { width, height } = picture;
  let sum = 0;
  let count = 0;
  for (let top = 0; top + 16 <= height; top += 16) {
    for (let left = 0; left + 16 <= width; left += 16) {
      const off = [0, 0, 0];
      for (let i = 0; i < 256; i++) {
        const at = ((top + (i >> 4)) * width + left + (i & 15)) * 4;
        for (let c = 0; c < 3; c++) off[c]! += (read.pixels[at + c]! - picture.pixels[at + c]!) / 256;
      }
      const luma = 0.299 * off[0]! + 0.587 * off[1]! + 0.114 * off[2]!;
      sum += (0.564 * (off[2]! - luma)) ** 2 + (0.713 * (off[0]! - luma)) ** 2;
      count += 2;
    }
  }
  return Math.sqrt(sum / count);
}

describe('WebP encoder', () => {
  encoderCases({ encoder: webpEncoder, decode: readBySharp, meanError: 4, keepsAlpha: true });

  it('writes files that libwebp opens and the scanner finds whole and empty', async () => {
    for (const [width, height] of [
      [1, 1],
      [2, 31],
      [33, 16],
      [131, 67],
    ] as const) {
      for (const picture of [
        photoPicture(width, height, 1),
        noisePicture(width, height, 2, 'any'),
        softEdges(width, height, 3),
      ]) {
        const file = await encode(picture, 60);
        expect(scan(file)).toMatchObject({ format: 'webp', width, height, blocks: [], complete: true });
        const read = await readBySharp(file);
        expect([read.width, read.height]).toEqual([width, height]);
        // Alpha comes back as it was.
        expect(alphaOf(read)).toEqual(alphaOf(picture));
      }
    }
  });

  it('writes alpha only where a pixel has some', async () => {
    const opaque = photoPicture(60, 40, 3);
    const plain = await encode(opaque);
    expect(chunkOf(plain, 'VP8X')).toBeUndefined();
    // Nor does a source that might have alpha and has none; its chroma is rounded another way and not
    // sharpened.
    using output = await webpEncoder.encode({ ...rasterOf(opaque), opaque: false }, 90, ROOM);
    expect(chunkOf(output.bytes, 'VP8X')).toBeUndefined();
    const [one, other] = [await readBySharp(plain), await readBySharp(output.bytes)];
    expect(meanDifference(one.pixels, other.pixels)).toBeLessThan(1);
    const clear = { ...opaque, pixels: opaque.pixels.slice() };
    clear.pixels[60 * 40 * 4 - 1] = 254;
    expect(chunkOf(await encode(clear), 'ALPH')).toBeDefined();
  });

  it.each(Object.keys(smoothPictures))(
    'keeps the mean colours of smooth areas as well as libwebp: no bands of drifting chroma in a %s',
    async (name) => {
      const picture = smoothPictures[name]!(448, 336);
      for (const quality of [40, 75, 92]) {
        const { width, height, pixels } = picture;
        const theirs = await sharp(pixels, { raw: { width, height, channels: 4 } })
          .removeAlpha()
          .webp({ quality, effort: 4 })
          .toBuffer();
        const drift = async (file: Uint8Array) => chromaDrift(picture, await readBySharp(file));
        expect(await drift(await encode(picture, quality))).toBeLessThanOrEqual(await drift(theirs));
      }
    },
  );

  it('flags no empty macroblocks where that takes more bits than their blocks, as at night', async () => {
    const picture = smoothPictures.night!(448, 336);
    const { width, height, pixels } = picture;
    for (const quality of [40, 75]) {
      const theirs = await sharp(pixels, { raw: { width, height, channels: 4 } })
        .removeAlpha()
        .webp({ quality, effort: 4 })
        .toBuffer();
      const ours = await encode(picture, quality);
      const off = async (file: Uint8Array) => meanDifference((await readBySharp(file)).pixels, pixels);
      expect(await off(ours)).toBeLessThan(await off(theirs));
      expect(ours.length / theirs.length).toBeLessThan(1.05);
    }
  });

  it.each([
    [
      'segments a megapixel of skin by differences that hardly exist: the map took a quarter',
      'skin',
      1200,
      900,
      40,
    ],
    [
      'samples a night as if rows above were exact: flags of empty macroblocks took a fifth',
      'night',
      448,
      336,
      20,
    ],
  ] as const)('no longer %s', async (_, name, width, height, quality) => {
    const picture = smoothPictures[name]!(width, height);
    const theirs = await sharp(picture.pixels, { raw: { width, height, channels: 4 } })
      .removeAlpha()
      .webp({ quality, effort: 4 })
      .toBuffer();
    const ours = await encode(picture, quality);
    const off = async (file: Uint8Array) => meanDifference((await readBySharp(file)).pixels, picture.pixels);
    expect(await off(ours)).toBeLessThan(await off(theirs));
    expect(ours.length / theirs.length).toBeLessThan(1.08);
  });

  it('rounds large levels nearly to the nearest: black and white by dithering is as near as by libwebp', async () => {
    const [width, height] = [256, 192];
    const pixels = new Uint8Array(width * height * 4);
    let [errors, below] = [new Float32Array(width + 2), new Float32Array(width + 2)];
    for (let y = 0; y < height; y++) {
      let carried = 0;
      below.fill(0);
      for (let x = 0; x < width; x++) {
        const wanted = 128 + 90 * Math.sin(x / 31) * Math.cos(y / 23) + carried + errors[x + 1]!;
        const level = wanted < 128 ? 0 : 255;
        const error = (wanted - level) / 16;
        carried = error * 7;
        for (const [i, share] of [3, 5, 1].entries()) below[x + i]! += error * share;
        pixels.set([level, level, level, 255], (y * width + x) * 4);
      }
      [errors, below] = [below, errors];
    }
    const theirs = await sharp(pixels, { raw: { width, height, channels: 4 } })
      .removeAlpha()
      .webp({ quality: 85, effort: 4 })
      .toBuffer();
    const ours = await encode({ width, height, pixels }, 85);
    const squares = async (file: Uint8Array) =>
      (await readBySharp(file)).pixels.reduce((sum, value, i) => sum + (value - pixels[i]!) ** 2, 0);
    expect(await squares(ours)).toBeLessThan(await squares(theirs));
    expect(ours.length / theirs.length).toBeLessThan(1.01);
  });

  it('writes nothing of the colours under transparency', async () => {
    for (const [width, height] of [
      [61, 47],
      [16, 16],
      [5, 3],
    ] as const) {
      const picture = softEdges(width, height, 9);
      const hidden = { ...picture, pixels: picture.pixels.slice() };
      const noise = noisePicture(width, height, 1).pixels;
      for (let i = 0; i < noise.length; i += 4) {
        if (picture.pixels[i + 3] === 0) hidden.pixels.set(noise.subarray(i, i + 3), i);
      }
      expect(hidden.pixels).not.toEqual(picture.pixels);
      expect(await encode(hidden)).toEqual(await encode(picture));
    }
  });

  it('lets what is transparent not darken what is seen beside it', async () => {
    // A bright disc of one colour on transparent black.
    const size = 96;
    const pixels = new Uint8Array(size * size * 4);
    for (let i = 0; i < size * size; i++) {
      const distance = Math.hypot((i % size) - 47, Math.floor(i / size) - 45) - 33;
      const alpha = Math.max(0, Math.min(255, Math.round(128 - distance * 90)));
      if (alpha > 0) pixels.set([240, 90, 30, alpha], i * 4);
    }
    /** The largest difference of a colour that is seen at all. */
    const worst = async (file: Uint8Array) => {
      const read = await readBySharp(file);
      return pixels.reduce((most, value, i) => {
        const isSeen = (i & 3) < 3 && pixels[i | 3]! > 0;
        return isSeen ? Math.max(most, Math.abs(read.pixels[i]! - value)) : most;
      }, 0);
    };
    const bound = 30;
    for (const quality of [30, 75]) {
      expect(await worst(await encode({ width: size, height: size, pixels }, quality))).toBeLessThan(bound);
      // libwebp's own encoder: 68 and 36.
      const raw = { width: size, height: size, channels: 4 } as const;
      const theirs = await worst(await sharp(pixels, { raw }).webp({ quality }).toBuffer());
      expect(theirs).toBeGreaterThan(bound);
    }
  });

  it('refuses sizes that the format cannot hold, at once', async () => {
    for (const [width, height] of [
      [16_384, 1],
      [1, 16_384],
      [8000, 6501],
    ] as const) {
      const size = { width, height };
      expect(() => webpEncoder.cost(size, 90)).toThrow(expect.objectContaining({ kind: 'limit' }));
      const raster = { ...rasterOf(photoPicture(1, 1)), ...size };
      await expect(webpEncoder.encode(raster, 90, ROOM)).rejects.toThrow('at most 16383');
    }
    expect(totalBytes(webpEncoder.cost({ width: 8160, height: 6120 }, 92))).toBeLessThan(30e6);
  });

  it('gives way as it reads, twice over', async () => {
    const picture = photoPicture(100, 64, 1);
    let spent = 0;
    const slice = {
      ...uninterrupted,
      spend(pixels: number) {
        spent += pixels;
        return Promise.resolve();
      },
    };
    using _output = await webpEncoder.encode(rasterOf(picture), 80, ROOM, undefined, slice);
    expect(spent).toBe(2 * rowsWork(64, 100));
  });

  it('does not take a raster that ends early for a picture', async () => {
    const raster = rasterOf(photoPicture(40, 40), 8);
    const short = { ...raster, strips: () => [...raster.strips()].slice(0, 4) };
    await expect(webpEncoder.encode(short, 80, ROOM)).rejects.toThrow('ended after 32 of 40');
  });
});

describe('WebP encoding cost', () => {
  it('is never less than what is held for an output of that size, and at most a quarter more', async () => {
    for (const picture of [
      photoPicture(1200, 800, 3),
      noisePicture(500, 400, 4, 'any'),
      softEdges(700, 500, 5),
    ]) {
      for (const quality of [30, 92]) {
        using core = createCore();
        const raster = rasterOf(picture, STRIP_ROWS, core);
        using output = await webpEncoder.encode(raster, quality, ROOM);
        // Without the strip, which is its decoder's.
        const strip = scratchBytes([STRIP_ROWS * picture.width * 4 + ROW_SLACK]);
        const held = core.exports.peakBytes() - strip + output.retainedBytes;
        const { width, height } = picture;
        const size = { width, height, opaque: raster.opaque };
        const cost = totalBytes(webpEncoder.cost(size, quality, output.bytes.length));
        expect(cost).toBeGreaterThanOrEqual(held);
        // The pages that an output begins with are counted beside its bytes.
        expect(cost).toBeLessThanOrEqual(held * 1.25 + outputBufferBytes(0));
      }
    }
  });

  it('is small beside the output, however large the picture', () => {
    const [picture, alpha] = writerBytes({ width: 8160, height: 6120 }, false);
    expect(picture).toBeLessThan(1.7e6);
    expect(alpha).toBeLessThan(2.2e6);
  });

  it('grows with quality without a gap', () => {
    const size = { width: 1000, height: 1000 };
    for (let quality = 30; quality < 100; quality++) {
      const [less, more] = [quality, quality + 1].map((q) => predictedOutputBytes(size, q, true));
      expect(more).toBeGreaterThan(less!);
    }
  });
});
