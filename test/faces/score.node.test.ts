import { describe, expect, it } from 'vitest';
import { match, Tally } from '../../scripts/eval-faces/score.ts';

const box = (x: number, confidence = 1, h = 40) => ({ x, y: 0, w: 40, h, confidence });
const labels = { faces: [box(0), box(100, 1, 20)], ignored: [box(300)], leastOverlap: 0.5 };

describe('score', () => {
  it('lets every face be found once, counts the rest as wrong, and leaves out what is ignored', () => {
    expect(match([box(2, 0.9), box(4, 0.8), box(200, 0.7), box(310, 0.6)], labels)).toEqual({
      found: [true, false],
      wrong: 2,
    });
    expect(match([box(25, 0.9)], labels)).toEqual({ found: [false, false], wrong: 1 });
  });

  it('adds up recall by height, precision, and what is wrong where there is no face', () => {
    const tally = new Tally();
    tally.add(labels, [box(0), box(200)], 3);
    tally.add({ faces: [], ignored: [], leastOverlap: 0.5 }, [box(0)], 1);
    expect(tally).toMatchObject({
      faces: 2,
      recall: 0.5,
      wrong: 2,
      wrongWithoutFaces: 1,
      pictures: 2,
      passes: 4,
    });
    expect(tally.precision).toBeCloseTo(1 / 3, 9);
    expect(tally.byHeight.slice(1, 4)).toEqual([{ recall: 0, faces: 1 }, undefined, { recall: 1, faces: 1 }]);
  });
});
