import { describe, expect, test } from 'vitest';
import { tools } from '../../../src/api/tools.ts';
import { callService as get } from '../../fixtures/service.ts';

describe('GET /llms.txt', () => {
  test('has the form of llmstxt.org, lists tools and operations, and its links work', async () => {
    const answer = await get('/llms.txt');
    const text = await answer.text();
    expect(text).toMatch(/^# .+\n\n> /);
    for (const { name } of tools) expect(text).toContain(`- ${name}: `);
    for (const path of ['POST /v1/sanitize', 'POST /v1/detect', 'POST /v1/inspect', 'GET /v1/usage'])
      expect(text).toContain(`- ${path}: `);
    expect(text).toContain('no proof that there are none');
    const links = [...text.matchAll(/\]\((https:\/\/service\.test\/[^)]*)\)/g)].map(([, link]) => link!);
    expect(links).toHaveLength(3);
    for (const link of links) {
      const linked = await get(new URL(link).pathname);
      expect(linked.status).toBe(200);
      await linked.body?.cancel();
    }
  });
});
