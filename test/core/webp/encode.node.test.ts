import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { createCore } from '../../../src/core/instance.ts';
import { frameHeadLimit, WebpWriter, webpWriterBytes } from '../../../src/core/webp/encode.ts';
import { readLossy } from '../../fixtures/lossy_frame.ts';
import { seededRandom } from '../../fixtures/random.ts';
import { noisePicture, type Picture, photoPicture } from '../../fixtures/raster.ts';
import { writtenWebp } from '../../fixtures/webp_writing.ts';

const sharpRgb = (file: Uint8Array) => sharp(file).removeAlpha().raw().toBuffer();

const withoutAlpha = ({ pixels }: Picture) => Buffer.from(pixels.filter((_, i) => (i & 3) !== 3));

/** What our own decoder makes of a file, as RGB. */
const ownRgb = (file: Uint8Array) => withoutAlpha(readLossy(file.subarray(20)));

function psnr({ width, height, pixels }: Picture, rgb: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < width * height; i++) {
    for (let c = 0; c < 3; c++) sum += (pixels[i * 4 + c]! - rgb[i * 3 + c]!) ** 2;
  }
  return sum === 0 ? 99 : 10 * Math.log10((255 * 255 * width * height * 3) / sum);
}

const flat = (width: number, height: number, level = 180): Picture => ({
  width,
  height,
  pixels: new Uint8Array(width * height * 4).fill(level).map((value, i) => ((i & 3) === 3 ? 255 : value)),
});

function gradient(width: number, height: number): Picture {
  const pixels = new Uint8Array(width * height * 4);
  for (let i = 0; i < width * height; i++) {
    const value = ((i % width) / width + Math.floor(i / width) / height) * 127;
    pixels.set([value, value, 255 - value, 255], i * 4);
  }
  return { width, height, pixels };
}

/** Black strokes on white, as text has them. */
function strokes(width: number, height: number): Picture {
  const picture = flat(width, height, 255);
  const random = seededRandom(3);
  for (let n = 0; n < (width * height) / 60; n++) {
    const x = Math.floor(random() * width);
    const y = Math.floor(random() * height);
    const down = random() < 0.5;
    for (let i = 0; i < 7; i++) {
      const at =
        (Math.min(y + (down ? i : 0), height - 1) * width + Math.min(x + (down ? 0 : i), width - 1)) * 4;
      picture.pixels.fill(0, at, at + 3);
    }
  }
  return picture;
}

describe('a file', () => {
  it('is decoded alike by libwebp and by our own decoder, at all small sizes', async () => {
    const qualities = [30, 60, 80, 92, 100];
    for (let width = 1; width <= 33; width++) {
      for (let height = 1 + (width % 3); height <= 33; height += 3) {
        const quality = qualities[(width + height) % qualities.length]!;
        const picture =
          (width + height) & 1 ? noisePicture(width, height, width) : photoPicture(width, height, height);
        const file = writtenWebp(picture, quality);
        const theirs = await sharpRgb(file);
        expect(theirs.length, `${width} × ${height}`).toBe(width * height * 3);
        expect(ownRgb(file).equals(theirs), `${width} × ${height}`).toBe(true);
      }
    }
  });

  it('looks like its picture, whatever that is', async () => {
    // Pictures of one colour and gradients come out nearly as they were; chroma noise is halved away.
    const cases = [
      [flat(97, 61), 40],
      [gradient(301, 203), 36],
      [photoPicture(640, 480, 2), 32],
      [strokes(320, 240), 18],
      [noisePicture(128, 128, 9), 8],
    ] as const;
    for (const [picture, bound] of cases) {
      let before = 0;
      for (const quality of [30, 50, 75, 92, 100]) {
        const file = writtenWebp(picture, quality);
        const decoded = await sharpRgb(file);
        // Above 45 dB, where nobody sees anything, chance decides.
        const value = Math.min(psnr(picture, decoded), 45);
        expect(value).toBeGreaterThan(bound);
        expect(value).toBeGreaterThan(before - 0.5);
        before = value;
        expect(ownRgb(file).equals(decoded)).toBe(true);
      }
    }
  }, 120_000);

  it('is the same for any strip height', () => {
    const picture = photoPicture(203, 131, 5);
    const whole = writtenWebp(picture, 80);
    for (const heights of [[1], [2], [7, 3], [16], [33]]) {
      expect(writtenWebp(picture, 80, heights).equals(whole)).toBe(true);
    }
  });

  it('samples few rows of a large picture, which lose little', async () => {
    const picture = photoPicture(1700, 1200, 3);
    const file = writtenWebp(picture, 85, [17]);
    expect(writtenWebp(picture, 85, [1200]).equals(file)).toBe(true);
    expect(psnr(picture, await sharpRgb(file))).toBeGreaterThan(38);
  });
});

describe('memory', () => {
  it('is what is said of it, and does not grow while rows are pushed', () => {
    for (const [width, height] of [
      [1, 1],
      [100, 70],
      [4000, 3000],
      [8160, 6120],
      [16383, 3000],
    ] as const) {
      using core = createCore();
      const before = core.exports.mark();
      new WebpWriter(core, { width, height, quality: 92, opaque: true });
      expect(core.exports.mark() - before).toBe(webpWriterBytes(width, height, 0));
    }
    expect(webpWriterBytes(8160, 6120, 0)).toBeLessThan(1_700_000);
    expect(frameHeadLimit(8160, 6120)).toBeLessThan(525_000);
  });
});
