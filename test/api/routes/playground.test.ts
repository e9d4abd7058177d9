import { describe, expect, it } from 'vitest';
import { playgroundPolicy } from '../../../src/api/routes/playground.ts';
import { callService as get } from '../../fixtures/service.ts';

describe('the playground', () => {
  it('is a page under a policy that lets nothing foreign and nothing inline run, with the headers of every response', async () => {
    const answer = await get('/');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Type')).toContain('text/html');
    expect(answer.headers.get('Content-Security-Policy')).toBe(playgroundPolicy);
    expect(playgroundPolicy).not.toMatch(/unsafe|https?:|\*/);
    expect(answer.headers.get('X-Service-Retention')).toBe('none');
    expect(answer.headers.get('X-RateLimit-Remaining')).toBe('1');
    const page = await answer.text();
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/i);
    expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });

  it('has a script and a style sheet whose names change with their content', async () => {
    const page = await (await get('/')).text();
    const files = [...page.matchAll(/"(\/playground\/\w+\.[0-9a-f]{12}\.(?:js|css))"/g)].map(
      ([, path]) => path!,
    );
    expect(files).toHaveLength(2);
    for (const path of files) {
      const answer = await get(path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('Content-Type')).toMatch(/javascript|css/);
      expect(answer.headers.get('Cache-Control')).toContain('immutable');
      expect((await answer.text()).length).toBeGreaterThan(10);
    }
  });

  it('costs no transfer while it is unchanged', async () => {
    const first = await get('/');
    await first.body?.cancel();
    expect(first.headers.get('Cache-Control')).toBe('no-cache');
    const again = await get('/', { headers: { 'If-None-Match': first.headers.get('ETag')! } });
    expect(again.status).toBe(304);
    expect(again.headers.get('X-Service-Plan')).toBe('free');
  });

  it('says in the API’s own way that a file is not there', async () => {
    const answer = await get('/playground/nothing.js');
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: 'not_found' });
  });
});
