import { describe, expect, it } from 'vitest';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { people, photoSize, uprightPicture } from './photos.ts';
import {
  alignToBlocks,
  brightest,
  colourAt,
  detail,
  difference,
  maxBlockDeviation,
} from './pixel_measures.ts';

/** The photo with every block of its grid in one colour. */
function flattened(block: number) {
  const photo = uprightPicture();
  const pixels = photo.pixels.slice();
  for (let y = 0; y < photo.height; y++) {
    for (let x = 0; x < photo.width; x++) {
      const from = ((y - (y % block)) * photo.width + (x - (x % block))) * 4;
      pixels.set(photo.pixels.subarray(from, from + 4), (y * photo.width + x) * 4);
    }
  }
  return { ...photo, pixels };
}

describe('the measures of pixels', () => {
  const area = { x: 30, y: 45, w: 20, h: 20 };

  it('whole blocks cover the rectangle and end on the grid', () => {
    expect(alignToBlocks(area, 20)).toEqual({ x: 20, y: 40, w: 40, h: 40 });
    expect(alignToBlocks({ x: 20, y: 40, w: 20, h: 20 }, 20)).toEqual({ x: 20, y: 40, w: 20, h: 20 });
  });

  it('a flat block has no deviation, a photo has, and so has a grid that is off by a pixel', () => {
    expect(maxBlockDeviation(flattened(20), area, 20)).toBe(0);
    expect(maxBlockDeviation(uprightPicture(), people[0]!, 20)).toBeGreaterThan(40);
    expect(maxBlockDeviation(flattened(19), people[0]!, 20)).toBeGreaterThan(10);
  });

  it('the brightest of what is black is 0, but for its rim', () => {
    const picture = uprightPicture();
    for (let y = 104; y < 116; y++) picture.pixels.fill(0, (y * 900 + 104) * 4, (y * 900 + 116) * 4);
    expect(brightest(picture, { x: 100, y: 100, w: 20, h: 20 })).toBe(0);
    expect(brightest(picture, { x: 99, y: 100, w: 20, h: 20 })).toBeGreaterThan(0);
    expect(colourAt(picture, 110, 110)).toEqual([0, 0, 0]);
  });

  it('the difference counts all pixels outside the excluded areas', () => {
    const { width, height } = photoSize;
    const one = uprightPicture();
    const other = drawPeople(width, height, people.slice(1));
    expect(difference(one, one, [])).toEqual({ mean: 0, max: 0 });
    expect(difference(one, other, []).max).toBeGreaterThan(50);
    const first = people[0]!;
    const person = { x: first.x - first.w, y: 0, w: first.w * 3, h: height };
    expect(difference(one, other, [person])).toEqual({ mean: 0, max: 0 });
  });

  it('blocks have less detail than a face', () => {
    for (const face of people) {
      expect(detail(uprightPicture(), face)).toBeGreaterThan(3 * detail(flattened(24), face));
    }
  });
});
