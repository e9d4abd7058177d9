import { expect, test } from 'vitest';
import { openApiDocument } from '../../../src/api/openapi/document.ts';
import { service } from '../../fixtures/service.ts';

test.each(['https://service.test', 'http://localhost:8787', 'https://made.up'])(
  'GET /openapi.json describes the deployment by its public origin, asked at %s',
  async (origin) => {
    const answer = await service.fetch(`${origin}/openapi.json`);
    const described = openApiDocument('https://service.test');
    expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(described)));
  },
);
