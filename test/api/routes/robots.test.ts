import { expect, test } from 'vitest';
import { callService as get } from '../../fixtures/service.ts';

test('GET /robots.txt allows crawlers the pages and descriptions only', async () => {
  const answer = await get('/robots.txt');
  expect(answer.headers.get('Content-Type')).toMatch(/^text\/plain/);
  const lines = (await answer.text()).trim().split('\n');
  expect(lines[0]).toBe('User-agent: *');
  expect(lines).toContain('Disallow: /v1/');
  expect(lines).toContain('Allow: /docs');
  for (const line of lines.slice(1)) expect(line).toMatch(/^(Allow|Disallow): \//);
});
