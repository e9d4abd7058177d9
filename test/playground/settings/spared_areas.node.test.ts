import { describe, expect, it } from 'vitest';
import { sparedArea } from '../../../src/playground/settings/spared_areas.ts';

const own = { x: 100, y: 100, w: 60, h: 80 };

describe('the area of a face to be spared', () => {
  it('is its box while no other face has its middle there', () => {
    expect(sparedArea(own, [])).toEqual(own);
    // Cheek to cheek: the boxes overlap, the middles lie apart.
    expect(sparedArea(own, [{ x: 145, y: 100, w: 60, h: 80 }])).toEqual(own);
  });

  it('ends before the middle of a face that is hidden, which the service would leave with it', () => {
    const child = { x: 135, y: 120, w: 30, h: 40 };
    const area = sparedArea(own, [child])!;
    // Its middle is at 150, 140, and the service may find it a tenth of its size beside that.
    expect(area).toEqual({ ...own, w: 47 });
    const below = sparedArea(own, [child, { x: 100, y: 150, w: 40, h: 40 }])!;
    expect(below).toEqual({ ...own, w: 47, h: 66 });
  });

  it('is none where the middles coincide: hidden wins', () => {
    expect(sparedArea(own, [{ x: 110, y: 115, w: 40, h: 50 }])).toBeNull();
  });
});
