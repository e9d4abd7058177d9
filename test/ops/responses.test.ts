import { expect, expectTypeOf, test } from 'vitest';
import type { BlockName as ScannedBlock } from '../../src/metadata/facts.ts';
import { keyPlanNames, planNames } from '../../src/metering/plans.ts';
import {
  type BlockName,
  errorBodySchema,
  errorCodes,
  keyRequestSchema,
  planNameSchema,
} from '../../src/ops/responses.ts';

// src/ops imports neither the scanner nor the plan table, so its lists are compared with theirs here.
test('plan names are those of the plan table', () => {
  expect(planNameSchema.options).toEqual(planNames);
  expect(keyRequestSchema.shape.plan.options).toEqual([...keyPlanNames]);
});

test('block names are those of the scanner', () => {
  expectTypeOf<BlockName>().toEqualTypeOf<ScannedBlock>();
});

test('an error body has a code, a message, a request id and no unknown members', () => {
  for (const error of errorCodes)
    expect(errorBodySchema.safeParse({ error, message: 'why', request_id: 'x' }).success).toBe(true);
  for (const wrong of [
    {},
    { error: 'other', message: 'why', request_id: 'x' },
    { error: 'not_found', message: '', request_id: 'x' },
    { error: 'not_found', message: 'why', request_id: 'x', stack: 'at …' },
  ])
    expect(errorBodySchema.safeParse(wrong).success).toBe(false);
});
