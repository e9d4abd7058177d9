import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { BoxIndex, isNear } from '../../src/faces/box_index.ts';

const box = fc.record({
  x: fc.double({ min: -300, max: 900, noNaN: true }),
  y: fc.double({ min: -300, max: 900, noNaN: true }),
  w: fc.oneof(fc.double({ min: 0.01, max: 60, noNaN: true }), fc.constantFrom(16, 32, 2000)),
  h: fc.oneof(fc.double({ min: 0.01, max: 60, noNaN: true }), fc.constantFrom(16, 32, 2000)),
});

describe('BoxIndex', () => {
  it('finds the neighbours that a look at all boxes finds, in the same order', () => {
    let found = 0;
    fc.assert(
      fc.property(
        fc.array(box, { maxLength: 120, size: 'max' }),
        fc.array(box, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(0.2, 0.45, 1),
        (boxes, queries, share) => {
          const index = new BoxIndex();
          for (const one of boxes) index.insert(one);
          for (const query of queries) {
            const near = boxes.filter((one) => isNear(one, query, share));
            expect(index.near(query, share)).toEqual(near);
            found += near.length;
          }
        },
      ),
      { seed: 12, numRuns: 300 },
    );
    expect(found).toBeGreaterThan(500);
  });

  it('looks at few boxes for each of very many that lie apart', () => {
    let looked = 0;
    const index = new BoxIndex();
    const many = Array.from({ length: 9500 }, (_, i) => ({
      x: (i % 100) * 40,
      y: Math.floor(i / 100) * 40,
      get w() {
        looked++;
        return 30;
      },
      h: 30,
    }));
    for (const one of many) index.insert(one);
    looked = 0;
    for (const one of many) index.near({ x: one.x, y: one.y, w: 30, h: 30 }, 0.4);
    expect(looked).toBeLessThan(9500 * 30);
  });

  it('looks at each box once, not at each cell, where a large one asks for the small ones below it', () => {
    const index = new BoxIndex();
    const small = Array.from({ length: 200 }, (_, i) => ({ x: i * 20, y: i * 15, w: 1 + (i % 60), h: 1 }));
    for (const one of small) index.insert(one);
    const lookUp = vi.spyOn(Map.prototype, 'get');
    try {
      expect(index.near({ x: 0, y: 0, w: 4000, h: 3000 }, Number.MIN_VALUE)).toEqual(small);
      expect(lookUp.mock.calls.length).toBeLessThan(200);
    } finally {
      lookUp.mockRestore();
    }
  });

  it('takes boxes that touch for apart', () => {
    const index = new BoxIndex();
    index.insert({ x: 0, y: 0, w: 10, h: 10 });
    expect(index.near({ x: 10, y: 0, w: 10, h: 10 }, 0.5)).toEqual([]);
    expect(index.near({ x: 9.9, y: 0, w: 10, h: 10 }, 0.5)).toHaveLength(1);
  });
});
