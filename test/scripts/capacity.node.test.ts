import { expect, test } from 'vitest';
import { CALLS } from '../../scripts/capacity/figures.mjs';
import { quantile, simulate } from '../../scripts/capacity/isolate.mjs';
import { linePlot } from '../../scripts/capacity/plot.mjs';

const SECONDS = 90;
/** Calls with faces: of them the processor runs out first, not the room for uploads. */
const run = (rate: number, seed = 1) => simulate({ rate, mix: ['faces'], seconds: SECONDS, seed });

test('the simulation of an isolate is the same for the same seed, and no other', async () => {
  const [one, again, other] = [await run(3), await run(3), await run(3, 2)];
  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
});

test('below what the processor gives all are served; beyond it as many as it can', async () => {
  const possible = 1000 / CALLS.faces.cpuMs;
  const calm = await run(possible / 2);
  expect(calm.ends.length).toBeGreaterThan(100);
  expect(calm.ends.every(({ isServed }) => isServed)).toBe(true);
  expect(calm.busy).toBeGreaterThan(0.4);
  expect(calm.busy).toBeLessThan(0.6);
  const { ends, busy } = await run(2 * possible);
  const served = ends.filter(({ isServed }) => isServed);
  expect(busy).toBeGreaterThan(0.95);
  expect(served.length / SECONDS / possible).toBeGreaterThan(0.9);
  // Those that came last are served after the counted time.
  expect(served.length / SECONDS / possible).toBeLessThan(1.1);
  // Nobody waits for longer than the policy lets anybody.
  expect(
    quantile(
      served.map(({ waitedMs }) => waitedMs),
      1,
    ),
  ).toBeLessThanOrEqual(20_100);
});

test('a plot is well-formed, with every line and its name', () => {
  const lines = {
    first: [
      [0, 1],
      [1, 3],
    ],
    second: [
      [0, 0],
      [1, 0],
    ],
  } as const;
  const svg = linePlot({ title: 'T', x: 'X', y: 'Y < 1', lines });
  expect(svg.match(/stroke-width="2"/g)).toHaveLength(4);
  for (const word of ['T', 'X', 'Y &lt; 1', 'first', 'second']) expect(svg).toContain(`>${word}</text>`);
  expect(svg).not.toContain('NaN');
});
