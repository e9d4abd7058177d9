import { expect, test } from 'vitest';
import { keyPlanNames, planNames } from '../../src/metering/plans.ts';
import { keyRequestSchema, planNameSchema } from '../../src/ops/account.ts';

// src/ops does not import the plan table, so its lists are compared with that here.
test('plan names are those of the plan table', () => {
  expect(planNameSchema.options).toEqual(planNames);
  expect(keyRequestSchema.shape.plan.options).toEqual([...keyPlanNames]);
});
