import { describe, expect, it } from 'vitest';
import { type Hidden, hide, NOTHING_HIDDEN } from '../../src/pixels/hide.ts';
import { stepCases } from '../cases/step_cases.ts';
import { noisePicture, type Picture, rasterOf, readPicture } from '../fixtures/raster.ts';

const width = 40;
const height = 30;
const filled = [{ x: 10, y: 8, width: 13, height: 9 }];
const hidden: Hidden = {
  ...NOTHING_HIDDEN,
  mosaics: [{ block: 8, areas: [{ x: 6, y: 6, width: 20, height: 20 }] }],
  filled,
};

/** The picture with all pixels of the area in another order: each takes its neighbour's place. */
function permuted({ pixels, ...size }: Picture, { x, y, width: columns, height: rows }: (typeof filled)[0]) {
  const words = new Uint32Array(pixels.slice().buffer);
  for (let row = y; row < y + rows; row++) {
    words.subarray(row * size.width + x, row * size.width + x + columns).reverse();
  }
  return { ...size, pixels: new Uint8Array(words.buffer) };
}

describe('hide', () => {
  stepCases((source) => hide(source, { ...hidden, filled: [{ x: 0, y: 0, width: 1, height: 1 }] }, 1 << 20));

  it('gives the same pixels whatever lies beneath a fill, also where blocks reach into it', () => {
    const picture = noisePicture(width, height, 3, 'any');
    const other = permuted(picture, filled[0]!);
    expect(other.pixels).not.toEqual(picture.pixels);
    for (const held of [0, 1 << 20]) {
      expect(readPicture(hide(rasterOf(other), hidden, held))).toEqual(
        readPicture(hide(rasterOf(picture), hidden, held)),
      );
    }
  });

  it('changes no spared pixel', () => {
    const picture = noisePicture(width, height, 4);
    const spared = [{ x: 12, y: 3, width: 9, height: 14 }];
    const { pixels } = readPicture(hide(rasterOf(picture), { ...hidden, filled: [], spared }, 0));
    for (let y = 3; y < 17; y++) {
      const row = [(y * width + 12) * 4, (y * width + 21) * 4] as const;
      expect(pixels.subarray(...row)).toEqual(picture.pixels.subarray(...row));
    }
    expect(pixels).not.toEqual(picture.pixels);
  });

  it('returns the source itself where nothing is hidden', () => {
    const source = rasterOf(noisePicture(3, 3, 1));
    expect(hide(source, NOTHING_HIDDEN, 100)).toBe(source);
  });
});
