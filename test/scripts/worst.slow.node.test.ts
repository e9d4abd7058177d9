import { describe, expect, it } from 'vitest';
import { isolateBudget } from '../../src/memory/budget.ts';
import { NO_MEMORY } from '../../src/memory/memory_cost.ts';
import { paintedDetector } from '../fixtures/painted_detector.ts';
import { ordinaryTwin } from '../fixtures/worst/ordinary.ts';
import { runTrial } from '../fixtures/worst/run_trial.ts';
import { described, type Trial, trialsOf } from '../fixtures/worst/search.ts';
import { shapes } from '../fixtures/worst/shapes.ts';

const TRIALS = 8;
/** Of the largest that the service takes: half a megapixel, and what is four times as much. */
const SCALE = 0.01;
const TIMES = 4;

const detector = {
  cost: () => NO_MEMORY,
  wantedWidth: ({ width }: { width: number }) => width,
  detect: async () => ({ faces: [], belowConfidence: [], passes: 0 }),
};
const readable = paintedDetector();
const budget = isolateBudget(100 * 1024 * 1024, 1);

/** What texts inflate to, and how many structures are read for values, has a bound that both sizes reach. */
const BOUNDED = ['png: texts that inflate to nothing', 'jpeg: IPTC datasets of no bytes'];

/** All of the picture is read and written: a crop takes as much of one four times as large. */
const ORDINARY = {
  endpoint: 'sanitize',
  ops: { pixelate: { faces: false }, output: { format: 'png' } },
} as const;

/** Throws where a request is neither answered nor refused. */
async function turnsOf(trial: Trial, scale: number) {
  const body = new Uint8Array(await trial.shape.make(trial.point, scale));
  const { status, turns } = await runTrial(trial, body, { budget, detector, readable });
  expect(budget.freeBytes, described(trial)).toBe(budget.capacity);
  return { isServed: status === 200, turns };
}

describe('what a request asks for is counted as work, and turns are given by it', () => {
  // Codes that say nothing are bounded, bodies of many parts refused: none of these grows.
  const growing = shapes.filter(({ name }) => !['multipart', 'json', 'webp codes'].includes(name));
  it.each(growing)('$name: of four times as much, twice the turns and more', async (shape) => {
    let [small, large] = [0, 0];
    // Most files that are nothing but structures are refused.
    for (const found of trialsOf(shape, shape.name === 'container' ? 5 * TRIALS : TRIALS, 5)) {
      if (BOUNDED.includes(String(found.point.of))) continue;
      const trial = shape.endpoints ? found : { ...found, ...ORDINARY };
      const [one, other] = [await turnsOf(trial, SCALE), await turnsOf(trial, SCALE * TIMES)];
      if (!one.isServed || !other.isServed) continue;
      small += one.turns;
      large += other.turns;
    }
    expect(large).toBeGreaterThan(0);
    expect(large).toBeGreaterThanOrEqual(2 * small);
  });

  it.each(shapes)('$name: the same for the same request', async (shape) => {
    for (const trial of trialsOf(shape, TRIALS / 4, 6)) {
      expect(await turnsOf(trial, SCALE), described(trial)).toEqual(await turnsOf(trial, SCALE));
    }
  });
});

describe('an ordinary request to compare with', () => {
  it('is a photograph of about as many bytes at the same endpoint; bodies that are only read have none', async () => {
    for (const shape of shapes) {
      const [trial] = [...trialsOf(shape, 1, 3)];
      const twin = ordinaryTwin(trial!, 300_000);
      if (['json', 'multipart'].includes(shape.name)) expect(twin).toBeUndefined();
      else {
        const body = new Uint8Array(await twin!.shape.make(twin!.point, 1));
        expect(twin!.endpoint).toBe(trial!.endpoint);
        expect(body.length).toBeGreaterThan(150_000);
        expect(body.length).toBeLessThan(600_000);
        const taken = await runTrial({ ...twin!, endpoint: 'inspect', ops: {} }, body, {
          budget,
          detector,
          readable,
        });
        expect(taken.status).toBe(200);
      }
    }
  });
});
