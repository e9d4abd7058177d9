import { describe, expect, it } from 'vitest';
import { narrowColumns } from '../../src/pixels/columns.ts';
import { crop } from '../../src/pixels/crop.ts';
import { stepCases } from '../cases/step_cases.ts';
import { noisePicture, type Picture, rasterOf, readPicture } from '../fixtures/raster.ts';

function naiveCrop(
  { width, pixels }: Picture,
  area: { x: number; y: number; width: number; height: number },
): Picture {
  const rows = Array.from({ length: area.height }, (_, row) => {
    const from = ((area.y + row) * width + area.x) * 4;
    return [...pixels.subarray(from, from + area.width * 4)];
  });
  return { width: area.width, height: area.height, pixels: Uint8Array.from(rows.flat()) };
}

describe('crop', () => {
  stepCases((source) => {
    const x = Math.floor(source.width / 3);
    const y = Math.floor(source.height / 4);
    return crop(source, {
      x,
      y,
      width: Math.ceil((source.width - x) / 2),
      height: Math.ceil((source.height - y) / 2),
    });
  });

  it.each([
    { x: 0, y: 0, width: 12, height: 9 },
    { x: 11, y: 8, width: 1, height: 1 },
    { x: 3, y: 2, width: 7, height: 5 },
    { x: 0, y: 4, width: 12, height: 1 },
    { x: 5, y: 0, width: 2, height: 9 },
  ])('cuts $x,$y $width × $height', (area) => {
    const picture = noisePicture(12, 9, 5, 'any');
    expect(readPicture(crop(rasterOf(picture, 4), area))).toEqual(naiveCrop(picture, area));
  });

  it('stops reading at its last row', () => {
    let pulled = 0;
    const source = rasterOf(noisePicture(4, 100, 1), 10);
    const counting = {
      ...source,
      *strips() {
        for (const strip of source.strips()) {
          pulled++;
          yield strip;
        }
      },
    };
    readPicture(crop(counting, { x: 0, y: 12, width: 4, height: 8 }));
    expect(pulled).toBe(2);
  });

  it('reads through source.columns where the source has it', () => {
    const source = rasterOf(noisePicture(10, 4, 1));
    const asked: number[][] = [];
    const narrow = {
      ...source,
      columns: (x: number, width: number) => {
        asked.push([x, width]);
        return narrowColumns(source, x, width);
      },
    };
    const area = { x: 2, y: 1, width: 3, height: 2 };
    expect(readPicture(crop(narrow, area))).toEqual(readPicture(crop(source, area)));
    expect(asked).toEqual([[2, 3]]);
  });
});
