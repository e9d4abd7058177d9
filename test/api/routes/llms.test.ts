import { describe, expect, test } from 'vitest';
import { billingRules } from '../../../src/api/billing/pricing.ts';
import { tools } from '../../../src/api/tools.ts';
import { operator } from '../../fixtures/mcp_client.ts';
import { callService as get } from '../../fixtures/service.ts';

describe('GET /llms.txt', () => {
  test('is the same with a key, and so are other texts: they may be cached by anyone', async () => {
    const { key } = await operator.issueKey({ plan: 'pro' });
    for (const path of ['/llms.txt', '/openapi.json', '/v1/tools.json', '/v1/pricing', '/robots.txt']) {
      const answers = await Promise.all([
        get(path),
        get(path, { headers: { Authorization: `Bearer ${key}` } }),
      ]);
      const [plain, keyed] = answers.map(({ headers }) =>
        ['X-Service-Plan', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-Service-Period-Cost-Cents'].map(
          (name) => headers.get(name),
        ),
      );
      expect(keyed).toEqual(plain);
      expect(plain).toEqual(['free', '1', '1', '0']);
      for (const { body } of answers) await body?.cancel();
    }
  });

  test('has the form of llmstxt.org, lists tools and operations, and its links work', async () => {
    const answer = await get('/llms.txt');
    const text = await answer.text();
    expect(text).toMatch(/^# .+\n\n> /);
    for (const { name } of tools) expect(text).toContain(`- ${name}: `);
    for (const path of ['POST /v1/sanitize', 'POST /v1/detect', 'POST /v1/inspect', 'GET /v1/usage'])
      expect(text).toContain(`- ${path}: `);
    expect(text).toMatch(/Zero faces found does not prove\s+that\s+there\s+are\s+none/);
    for (const rule of billingRules) expect(text).toContain(`- ${rule}\n`);
    const links = [...text.matchAll(/\]\((https:\/\/service\.test\/[^)]*)\)/g)].map(([, link]) => link!);
    expect(links).toHaveLength(3);
    for (const link of links) {
      const linked = await get(new URL(link).pathname);
      expect(linked.status).toBe(200);
      await linked.body?.cancel();
    }
  });
});
