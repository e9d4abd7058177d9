import { describe, expect, it } from 'vitest';
import { hidden, match, Tally, thresholdAt, withoutDoubles } from '../../scripts/eval_faces/score.ts';

const box = (x: number, confidence = 1, h = 40) => ({ x, y: 0, w: 40, h, confidence });
const labels = { faces: [box(0), box(100, 1, 20)], ignored: [box(300)], leastOverlap: 0.5 };

describe('score', () => {
  it('lets every face be found once, counts the rest as wrong, and leaves out what is ignored', () => {
    expect(match([box(2, 0.9), box(4, 0.8), box(200, 0.7), box(310, 0.6)], labels)).toEqual({
      found: [true, false],
      wrong: [box(4, 0.8), box(200, 0.7)],
    });
    expect(match([box(25, 0.9)], labels)).toEqual({
      found: [false, false],
      wrong: [box(25, 0.9)],
    });
  });

  it('takes labels of one face for one, in their middle, and leaves neighbours alone', () => {
    const apart = [box(0), box(30), box(200)];
    expect(withoutDoubles(apart)).toEqual(apart.map(({ x, y, w, h }) => ({ x, y, w, h })));
    const middle = { x: 106, y: 0, w: 40, h: 40 };
    expect(withoutDoubles([box(0), box(100), box(112)])).toEqual([{ ...middle, x: 0 }, middle]);
    // The last joins two that do not overlap enough by themselves.
    const [first, between, last] = [box(0), box(17), box(34)];
    expect(withoutDoubles([first, last, between])).toEqual([{ ...middle, x: 17 }]);
    expect(withoutDoubles([])).toEqual([]);
  });

  it('takes for hidden what a grown box covers nearly all of, found or not', () => {
    // 60 pixels wide and high, the box moved by 12 covers all but 2 columns of 40; by 15, all but 5.
    expect(hidden([box(12)], [box(0)])).toEqual([true]);
    expect(hidden([box(15)], [box(0)])).toEqual([false]);
    expect(hidden([box(200), box(4)], labels.faces)).toEqual([true, false]);
    expect(hidden([], labels.faces)).toEqual([false, false]);
  });

  it('counts faces of 16 pixels and more apart', () => {
    const tally = new Tally();
    const faces = [box(0, 1, 15), box(100, 1, 16), box(200)];
    tally.add({ faces, ignored: [], leastOverlap: 0.5 }, [box(0, 1, 15), box(200), box(112, 1, 16)], 1);
    expect(tally.recall).toBeCloseTo(1, 9);
    expect(tally.recallFrom16).toBe(1);
    tally.add({ faces, ignored: [], leastOverlap: 0.5 }, [box(0, 1, 15)], 1);
    expect([tally.recallFrom16, tally.hiddenFrom16]).toEqual([0.5, 0.5]);
  });

  it('adds up recall by height, and pictures with wrong detections', () => {
    const tally = new Tally();
    tally.add(labels, [box(0), box(200)], 3);
    tally.add({ faces: [], ignored: [], leastOverlap: 0.5 }, [box(0)], 1);
    expect(tally).toMatchObject({
      facesFrom16: 2,
      recall: 0.5,
      wrong: 2,
      picturesWithWrong: 2,
      pictures: 2,
      passes: 4,
    });
    expect(tally.byHeight.slice(1, 4)).toEqual([{ recall: 0, faces: 1 }, undefined, { recall: 1, faces: 1 }]);
  });

  it('gives the confidence from which on so many detections a picture are wrong', () => {
    const boxes = [box(0, 0.9), box(200, 0.8), box(400, 0.7), box(500, 0.5)];
    const results = [
      { boxes, labels },
      { boxes: [box(0, 0.6)], labels: { ...labels, faces: [] } },
    ];
    for (const [most, wrong] of [
      [0, 0],
      [0.5, 1],
      [1, 2],
      [1.5, 3],
      [9, 4],
    ] as const) {
      const least = thresholdAt(results, most);
      const sure = results.flatMap(
        (one) =>
          match(
            one.boxes.filter(({ confidence }) => confidence >= least),
            one.labels,
          ).wrong,
      );
      expect(sure).toHaveLength(wrong);
    }
  });
});
