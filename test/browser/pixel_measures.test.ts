import { describe, expect, it } from 'vitest';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { people, photoSize, uprightPhoto } from './photos.ts';
import { detail, difference, unevenness, wholeBlocks } from './pixels.ts';

/** A picture with every block of its grid flat. */
function flattened(block: number) {
  const photo = uprightPhoto();
  const pixels = photo.pixels.slice();
  for (let y = 0; y < photo.height; y++) {
    for (let x = 0; x < photo.width; x++) {
      const from = ((y - (y % block)) * photo.width + (x - (x % block))) * 4;
      pixels.set(photo.pixels.subarray(from, from + 4), (y * photo.width + x) * 4);
    }
  }
  return { ...photo, pixels };
}

describe('what the pixels of a result are measured by', () => {
  const area = { x: 30, y: 45, w: 20, h: 20 };

  it('whole blocks cover the rectangle and end on the grid', () => {
    expect(wholeBlocks(area, 20)).toEqual({ x: 20, y: 40, w: 40, h: 40 });
    expect(wholeBlocks({ x: 20, y: 40, w: 20, h: 20 }, 20)).toEqual({ x: 20, y: 40, w: 20, h: 20 });
  });

  it('a flat block is even, a photo is not, and a grid that is off by a pixel is noticed', () => {
    expect(unevenness(flattened(20), area, 20)).toBe(0);
    expect(unevenness(uprightPhoto(), people[0]!, 20)).toBeGreaterThan(40);
    expect(unevenness(flattened(19), people[0]!, 20)).toBeGreaterThan(10);
  });

  it('pictures differ where they differ, and not where it is excepted', () => {
    const { width, height } = photoSize;
    const one = uprightPhoto();
    const other = drawPeople(width, height, people.slice(1));
    expect(difference(one, one, [])).toEqual({ mean: 0, most: 0 });
    expect(difference(one, other, []).most).toBeGreaterThan(50);
    const first = people[0]!;
    const person = { x: first.x - first.w, y: 0, w: first.w * 3, h: height };
    expect(difference(one, other, [person])).toEqual({ mean: 0, most: 0 });
  });

  it('blocks have less detail than a face', () => {
    for (const face of people) {
      expect(detail(uprightPhoto(), face)).toBeGreaterThan(3 * detail(flattened(24), face));
    }
  });
});
