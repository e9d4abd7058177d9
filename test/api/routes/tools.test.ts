import { expect, test } from 'vitest';
import { toolDefinitions } from '../../../src/api/tools.ts';
import { callService } from '../../fixtures/service.ts';

test('GET /v1/tools.json returns the tool definitions', async () => {
  const answer = await callService('/v1/tools.json');
  expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(toolDefinitions())));
});
