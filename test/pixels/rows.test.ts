import { expect, it } from 'vitest';
import type { Raster } from '../../src/codecs/types.ts';
import { narrowRows } from '../../src/pixels/rows.ts';
import { noisePicture, rasterOf, readPicture } from '../fixtures/raster.ts';

const picture = noisePicture(7, 20, 3, 'any');

it.each([
  [0, 20],
  [0, 1],
  [5, 9],
  [19, 1],
])('rows from %i on, %i of them, whatever the strips', (y, height) => {
  const expected = picture.pixels.slice(y * 28, (y + height) * 28);
  for (const stripRows of [1, 3, 20]) {
    const narrowed = readPicture(narrowRows(rasterOf(picture, stripRows), y, height));
    expect(narrowed).toEqual({ width: 7, height, pixels: expected });
  }
});

it('reads through source.rows where the source has it', () => {
  const part = rasterOf(noisePicture(7, 3, 9, 'any'), 1);
  const asked: number[] = [];
  const source: Raster = {
    ...rasterOf(picture, 4),
    rows(y, height) {
      asked.push(y, height);
      return part;
    },
  };
  expect(narrowRows(source, 4, 3)).toBe(part);
  expect(asked).toEqual([4, 3]);
});
