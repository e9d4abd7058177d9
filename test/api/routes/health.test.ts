import { expect, test } from 'vitest';
import { callService } from '../../fixtures/service.ts';

test('answers as it is described', async () => {
  expect((await callService('/v1/health')).status).toBe(200);
});
