import { expect, it } from 'vitest';
import { Fault } from '../../src/faults.ts';
import { isolateBudget } from '../../src/memory/budget.ts';
import { NO_MEMORY } from '../../src/memory/memory_cost.ts';
import { sanitizeOpsSchema } from '../../src/ops/schema.ts';
import { sanitize } from '../../src/sanitize/sanitize.ts';
import { mutate } from '../fixtures/mutations.ts';
import { seededBelow } from '../fixtures/random.ts';
import { ResidentLevel } from '../fixtures/resident_level.ts';
import { smallFiles } from '../fixtures/small_files.ts';

const FILES = 5000;
const detector = {
  cost: () => NO_MEMORY,
  wantedWidth: ({ width }: { width: number }) => width,
  detect: async () => ({ faces: [], belowConfidence: [], passes: 0 }),
};

it('a plain loop over 5,000 small files, a good part of them corrupt, stays level in memory', async () => {
  const origins = await smallFiles();
  const random = seededBelow(19);
  const budget = isolateBudget(74 * 1024 * 1024, 1);
  const level = new ResidentLevel();
  let refused = 0;
  for (let turn = 0; turn < FILES; turn++) {
    const { bytes } = origins[turn % origins.length]!;
    // Every other one is mutated, and most mutants are refused.
    const file = random(2) ? bytes : mutate(bytes, random);
    const format = (['jpeg', 'png', 'webp'] as const)[random(3)];
    const ops = sanitizeOpsSchema.parse({ pixelate: { faces: false }, output: { format } });
    // Nothing but this `await` lets go: no timer and no reading of files between two of them.
    await sanitize(file, ops, { budget, detector }).catch((error) => {
      if (!(error instanceof Fault)) throw error;
      refused++;
    });
    if (!level.isKept(turn)) throw new Error(`file ${turn}: ${level.told}`);
  }
  console.log(`${refused} of ${FILES} refused; ${level.told}`);
  expect(refused).toBeGreaterThan(FILES / 4);
  expect(refused).toBeLessThan(FILES / 2);
});
