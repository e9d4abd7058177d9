import { expect, expectTypeOf, test } from 'vitest';
import type { BlockName as ScannedBlock } from '../../src/metadata/facts.ts';
import { keyPlanNames, planNames } from '../../src/metering/plans.ts';
import {
  type BlockName,
  errorBodySchema,
  errorCodes,
  keyRequestSchema,
  type PurgeReport,
  planNameSchema,
  purgeReportSchema,
} from '../../src/ops/responses.ts';
import type { PurgeReport as MadeReport } from '../../src/sanitize/report.ts';

/** This room knows nothing of images and plans, so that its lists are held against theirs here. */
test('plans are those of the plan table', () => {
  expect(planNameSchema.options).toEqual(planNames);
  expect(keyRequestSchema.shape.plan.options).toEqual([...keyPlanNames]);
});

test('block names are those of the scanner', () => {
  expectTypeOf<BlockName>().toEqualTypeOf<ScannedBlock>();
});

test('the report is the one that is made, with its duration', () => {
  type Fields<T> = keyof T;
  expectTypeOf<Fields<PurgeReport>>().toEqualTypeOf<Fields<MadeReport> | 'durationMs'>();
  expect(Object.keys(purgeReportSchema.shape)).toContain('durationMs');
});

test('an error is a code and words, and nothing that is not named', () => {
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
