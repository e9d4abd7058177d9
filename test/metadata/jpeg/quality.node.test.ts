import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { encoders } from '../../../src/codecs/registry.ts';
import { jpegQuality } from '../../../src/metadata/jpeg/quality.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { photoPicture, rasterOf } from '../../fixtures/raster.ts';

const source = { create: { width: 16, height: 16, channels: 3 as const, background: '#808080' } };

describe('the quality of a JPEG', () => {
  it('is the one that libjpeg-turbo was given', async () => {
    // Below, the steps are cut at 255, and some qualities have the same.
    for (let quality = 5; quality <= 100; quality++) {
      const { density } = scan(await sharp(source).jpeg({ quality, optimiseCoding: false }).toBuffer())!;
      expect(jpegQuality(density!.meanStep)).toBe(quality);
    }
  });

  it('is the one that our own encoder was given, whose table is another', async () => {
    const picture = photoPicture(16, 16, 1);
    for (let quality = 30; quality <= 100; quality++) {
      using output = await encoders.jpeg.encode(rasterOf(picture), quality, 1 << 20);
      expect(jpegQuality(scan(output.bytes)!.density!.meanStep)).toBe(quality);
    }
  });

  it('is the nearest for tables of others', () => {
    expect(jpegQuality(0.5)).toBe(100);
    expect(jpegQuality(1)).toBe(100);
    expect(jpegQuality(57.6)).toBe(50);
    expect(jpegQuality(65_535)).toBeLessThanOrEqual(2);
  });
});
