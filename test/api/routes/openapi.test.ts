import { expect, test } from 'vitest';
import { openApiDocument } from '../../../src/api/openapi/document.ts';
import { service } from '../../fixtures/service.ts';

test.each(['https://service.test', 'http://localhost:8787'])(
  'GET /openapi.json describes the deployment at %s',
  async (origin) => {
    const answer = await service.fetch(`${origin}/openapi.json`);
    expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument(origin))));
  },
);
