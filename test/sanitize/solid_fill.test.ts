import { describe, expect, it } from 'vitest';
import type { SanitizeOpsInput } from '../../src/ops/schema.ts';
import { noisePicture, type Picture } from '../fixtures/raster.ts';
import { sampleFile } from '../fixtures/samples.ts';
import { sanitized, sanitizedPicture } from '../fixtures/sanitized.ts';
import { scripted } from '../fixtures/scripted_detector.ts';

const noFaces = { faces: false };

describe('a solid fill', () => {
  const size = { width: 120, height: 90 };
  // On no multiple of 8 or 16, so that it cuts an encoder's blocks on every side.
  const region = { x: 13, y: 21, w: 37, h: 29 };
  const others = [{ x: 40, y: 40, w: 30, h: 30, fill: 'mosaic' as const }];

  /** The picture with the pixels beneath the region in another order. */
  function permuted({ pixels }: Picture): Picture {
    const words = new Uint32Array(pixels.slice().buffer);
    for (let y = region.y; y < region.y + region.h; y++) {
      words.subarray(y * size.width + region.x, y * size.width + region.x + region.w).reverse();
    }
    return { ...size, pixels: new Uint8Array(words.buffer) };
  }

  const outputs = [
    { format: 'png' },
    { format: 'jpeg' },
    { format: 'jpeg', quality: 30 },
    { format: 'webp' },
    { format: 'webp', quality: 30 },
  ] as const;
  const kinds = [
    ['opaque', false],
    ['any', false],
    ['opaque', true],
    ['any', true],
  ] as const;

  it.each(outputs)('lets nothing beneath it through: %j', async (output) => {
    for (const [alpha, grayscale] of kinds) {
      const picture = noisePicture(size.width, size.height, 9, alpha);
      const regions = [{ ...region, fill: 'solid' as const }, ...others];
      const ops = { grayscale, output, pixelate: { ...noFaces, regions, colour: '#204060' } };
      const [one, other] = [
        await sanitized(await sampleFile('png', picture), ops),
        await sanitized(await sampleFile('png', permuted(picture)), ops),
      ];
      expect(permuted(picture).pixels).not.toEqual(picture.pixels);
      expect(other.bytes).toEqual(one.bytes);
      expect(one.report).toMatchObject({ regionsPixelated: 1, regionsFilled: 1 });
    }
  });

  it('covers every pixel the region touches in the colour asked for, opaque, in black and white its luma', async () => {
    const file = await sampleFile('png', noisePicture(60, 50, 10, 'any'));
    const regions = [{ x: 10.5, y: 12.5, w: 10, h: 10 }];
    const asked = { ...noFaces, regions, fill: 'solid' as const, colour: '#ff0000' };
    for (const [grayscale, expected] of [
      [false, [255, 0, 0, 255]],
      [true, [76, 76, 76, 255]],
    ] as const) {
      const { picture } = await sanitizedPicture(file.slice(), { grayscale, pixelate: asked });
      for (let y = 12; y < 23; y++) {
        for (let x = 10; x < 21; x++) {
          const at = (y * 60 + x) * 4;
          expect([...picture.pixels.subarray(at, at + 4)]).toEqual(expected);
        }
      }
    }
  });

  it('is told of, as are spared faces and the second look, only where it was asked for', async () => {
    const found = (x: number) => ({ x, y: 40, w: 10, h: 12, confidence: 0.9 });
    const file = await sampleFile('png', noisePicture(120, 90, 11));
    const report = async (pixelate: SanitizeOpsInput['pixelate']) => {
      const { detector } = scripted({ faces: [found(20), found(80)] }, { faces: [found(21), found(79)] });
      return (await sanitized(file.slice(), { pixelate }, { detector })).report;
    };
    const plain = await report({ regions: [{ x: 1, y: 1, w: 9, h: 9 }] });
    for (const name of ['regionsFilled', 'facesSpared', 'secondLook']) expect(plain).not.toHaveProperty(name);
    expect(plain).toMatchObject({ regionsPixelated: 1, facesOnSecondLook: 2 });
    const asked = await report({
      regions: [{ x: 1, y: 1, w: 9, h: 9, fill: 'solid' }],
      except: [{ x: 70, y: 30, w: 30, h: 30 }],
      secondLook: true,
      padding: 1,
    });
    // A face that was spared is still there for the second look, and stays.
    expect(asked).toMatchObject({
      regionsPixelated: 0,
      regionsFilled: 1,
      facesSpared: 1,
      facesOnSecondLook: 1,
    });
    expect(asked.secondLook).toEqual([{ x: 21, y: 40, w: 10, h: 12, confidence: 0.9 }]);
  });
});
