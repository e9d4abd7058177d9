import { describe, expect, it } from 'vitest';
import { noticeTransparent } from '../../src/pixels/notice_transparent.ts';
import { noisePicture, rasterOf, readPicture } from '../fixtures/raster.ts';

/** A picture that says it may be transparent, with one pixel of another alpha. */
function withAlpha(width: number, height: number, at: number, alpha: number) {
  const picture = noisePicture(width, height, 1);
  picture.pixels[at * 4 + 3] = alpha;
  return { picture, source: { ...rasterOf(picture, [1, 2, 5]), opaque: false } };
}

describe('noticeTransparent', () => {
  it.each([1, 2, 3, 4, 5, 7, 16, 31])('sees a pixel anywhere in rows of %i', (width) => {
    const height = 9;
    for (let at = 0; at < width * height; at++) {
      const { source } = withAlpha(width, height, at, 254);
      const noticed = noticeTransparent(source);
      expect(noticed.isTransparent).toBe(false);
      readPicture(noticed.raster);
      expect([at, noticed.isTransparent]).toEqual([at, true]);
    }
  });

  it.each([0, 1, 127, 254, 255])('takes an alpha of %i for what it is, and changes nothing', (alpha) => {
    const { picture, source } = withAlpha(20, 10, 77, alpha);
    const noticed = noticeTransparent(source);
    expect(readPicture(noticed.raster)).toEqual(picture);
    expect(noticed.isTransparent).toBe(alpha < 255);
  });

  it('leaves an opaque image as it is, with its stored samples', () => {
    const source = rasterOf(noisePicture(4, 4, 1));
    expect(noticeTransparent(source).raster).toBe(source);
  });
});
