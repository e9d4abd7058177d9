import { expect, it } from 'vitest';
import { coveredShare } from '../../src/sanitize/covered_share.ts';
import { seededBelow } from '../fixtures/random.ts';

const picture = { width: 60, height: 50 };

it('is the share of pixels that any area covers, however many do, in what is visible of a box', () => {
  for (let seed = 0; seed < 50; seed++) {
    const below = seededBelow(seed);
    const rect = () => ({ x: below(50), y: below(40), width: 1 + below(20), height: 1 + below(20) });
    const of = Array.from({ length: below(6) }, rect);
    const without = Array.from({ length: below(3) }, rect);
    const share = coveredShare({ of, without }, picture);
    const isIn = (areas: typeof of, x: number, y: number) =>
      areas.some((one) => x >= one.x && x < one.x + one.width && y >= one.y && y < one.y + one.height);
    const box = { x: below(70) - 10, y: below(60) - 10, w: 1 + below(30), h: 1 + below(30) };
    let [all, covered] = [0, 0];
    for (let y = Math.max(0, box.y); y < Math.min(picture.height, box.y + box.h); y++) {
      for (let x = Math.max(0, box.x); x < Math.min(picture.width, box.x + box.w); x++) {
        all++;
        covered += Number(isIn(of, x, y) && !isIn(without, x, y));
      }
    }
    expect(share(box)).toBeCloseTo(all === 0 ? 1 : covered / all, 9);
  }
});
