import { describe, expect, test } from 'vitest';
import { referencePolicy } from '../../../src/api/routes/docs.ts';
import { callService as get } from '../../fixtures/service.ts';

describe('GET /docs', () => {
  test('is a page whose policy allows no inline scripts and nothing from other origins', async () => {
    const answer = await get('/docs');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Security-Policy')).toBe(referencePolicy);
    expect(referencePolicy).not.toMatch(/https?:|\*|unsafe-eval/);
    expect(referencePolicy).toMatch(/script-src 'self';/);
    expect(answer.headers.get('X-Service-Retention')).toBe('none');
    const page = await answer.text();
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=/i);
    // Every address in the page is on this origin.
    const addresses = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address!);
    expect(addresses.length).toBeGreaterThan(2);
    for (const address of addresses) expect(address).toMatch(/^\/(?!\/)/);
  });

  test('has scripts, one of them loaded later, on this origin whose names contain a hash of their content', async () => {
    const page = await (await get('/docs')).text();
    const scripts = [...page.matchAll(/<script src="([^"]+)"|data-script="([^"]+)"/g)].map(
      ([, first, later]) => first ?? later!,
    );
    expect(scripts).toHaveLength(2);
    for (const path of scripts) {
      expect(path).toMatch(/^\/docs\/\w+\.[0-9a-f]{12}\.js$/);
      const answer = await get(path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('Cache-Control')).toContain('immutable');
      expect((await answer.text()).length).toBeGreaterThan(500);
    }
  });

  test('is 404 for an unknown script', async () => {
    expect((await get('/docs/other.js')).status).toBe(404);
  });
});
