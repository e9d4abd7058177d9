import { expect, expectTypeOf, test } from 'vitest';
import type { Values } from '../../src/metadata/values/values.ts';
import { errorBodySchema, errorCodes, type MetadataValues } from '../../src/ops/responses.ts';

test('values are those of their readers', () => {
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
