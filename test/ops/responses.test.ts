import { expect, expectTypeOf, test } from 'vitest';
import type { BlockName as ScannedBlock } from '../../src/metadata/facts.ts';
import { KINDS, type Values } from '../../src/metadata/values/values.ts';
import { keyPlanNames, planNames } from '../../src/metering/plans.ts';
import {
  type BlockName,
  errorBodySchema,
  errorCodes,
  keyRequestSchema,
  type MetadataValues,
  planNameSchema,
} from '../../src/ops/responses.ts';
import { deviceSchema, personSchema, placeNameSchema, textSchema, timeSchema } from '../../src/ops/values.ts';

// src/ops imports neither the scanner nor the plan table, so its lists are compared with theirs here.
test('plan names are those of the plan table', () => {
  expect(planNameSchema.options).toEqual(planNames);
  expect(keyRequestSchema.shape.plan.options).toEqual([...keyPlanNames]);
});

test('block names are those of the scanner', () => {
  expectTypeOf<BlockName>().toEqualTypeOf<ScannedBlock>();
});

test('groups and kinds of values are those of their readers', () => {
  expect({
    places: placeNameSchema.shape.kind.options,
    times: timeSchema.shape.kind.options,
    device: deviceSchema.shape.kind.options,
    people: personSchema.shape.kind.options,
    texts: textSchema.shape.kind.options,
  }).toEqual(KINDS);
  // thumbnails are base64 in answers, bytes behind them
  expectTypeOf<Omit<Values, 'thumbnails'>>().toExtend<Omit<MetadataValues, 'thumbnails'>>();
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
