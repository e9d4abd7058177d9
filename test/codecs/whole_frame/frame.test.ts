import { describe, expect, it } from 'vitest';
import { frameRaster } from '../../../src/codecs/whole_frame/frame.ts';
import { noisePicture, readPicture, stripsOf } from '../../fixtures/raster.ts';

describe('frameRaster', () => {
  it('reads the frame as rows, unharmed by what a consumer writes', () => {
    const picture = noisePicture(5, 77, 1, 'any');
    const raster = frameRaster({ ...picture, pixels: picture.pixels.slice() });
    for (const strip of stripsOf(raster)) strip.pixels.fill(0);
    expect(readPicture(raster)).toEqual(picture);
    expect(raster.opaque).toBe(false);
  });

  it('states the traits of all pixels', () => {
    const traits = (...pixels: number[]) => {
      const { opaque, grey } = frameRaster({
        width: pixels.length / 4,
        height: 1,
        pixels: Uint8Array.from(pixels),
      });
      return { opaque, grey };
    };
    expect(traits(1, 1, 1, 255, 9, 9, 9, 255)).toEqual({ opaque: true, grey: true });
    expect(traits(1, 1, 1, 255, 9, 9, 8, 255)).toEqual({ opaque: true, grey: false });
    expect(traits(1, 1, 1, 255, 9, 9, 9, 254)).toEqual({ opaque: false, grey: true });
  });

  it('is gone after disposal, which may happen twice', () => {
    const raster = frameRaster(noisePicture(2, 2, 1));
    raster[Symbol.dispose]();
    raster[Symbol.dispose]();
    expect(() => readPicture(raster)).toThrow('disposed');
  });
});
