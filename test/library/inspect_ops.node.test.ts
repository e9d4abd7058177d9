import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inspectOps } from '../../src/library/inspect_ops.ts';
import { validOps } from '../../src/library/valid_ops.ts';
import { inspectOpsSchema } from '../../src/ops/schema.ts';

/** What comes of ops: themselves with their defaults, or the problems that are reported. */
const outcomeOf = async (judge: () => unknown) => {
  try {
    return { ops: await judge() };
  } catch (error) {
    const { code, message, issues } = error as { code: string; message: string; issues: unknown };
    return { code, message, issues };
  }
};

const members = ['values', 'thumbnails', 'blur', 'toString', '__proto__'];
const values = fc.oneof({ weight: 4, arbitrary: fc.boolean() }, { weight: 1, arbitrary: fc.anything() });
const ops = fc.oneof(
  { weight: 6, arbitrary: fc.dictionary(fc.constantFrom(...members), values) },
  { weight: 1, arbitrary: fc.anything() },
);

it('judges ops as their schema does', async () => {
  expect(await outcomeOf(() => inspectOps({ values: 1 }))).toMatchObject({ code: 'invalid_ops' });
  const plain: unknown[] = [undefined, {}, { values: true }, { values: false, thumbnails: true }];
  for (const given of [...plain, null, [], { values: undefined }, Object.create({ values: true })]) {
    expect(await outcomeOf(() => inspectOps(given))).toEqual(
      await outcomeOf(() => validOps(inspectOpsSchema, given)),
    );
  }
  await fc.assert(
    fc.asyncProperty(ops, async (given) => {
      expect(await outcomeOf(() => inspectOps(given))).toEqual(
        await outcomeOf(() => validOps(inspectOpsSchema, given)),
      );
    }),
    { numRuns: 500, seed: 7 },
  );
});
