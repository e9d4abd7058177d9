import { describe, expect, it } from 'vitest';
import { playgroundPolicy } from '../../../src/api/routes/playground.ts';
import { SHARE_ADDRESS } from '../../../src/playground/offline/requests.ts';
import { callService as get } from '../../fixtures/service.ts';

describe('GET / and its files', () => {
  it('are a page whose policy allows nothing inline or from other origins, with the common headers', async () => {
    const answer = await get('/');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Type')).toContain('text/html');
    expect(answer.headers.get('Content-Security-Policy')).toBe(playgroundPolicy);
    expect(playgroundPolicy).not.toMatch(/'unsafe|https?:|\*/);
    expect(playgroundPolicy).toContain("script-src 'self' 'wasm-unsafe-eval';");
    expect(answer.headers.get('X-Service-Retention')).toBe('none');
    expect(answer.headers.get('X-RateLimit-Remaining')).toBe('1');
    const page = await answer.text();
    expect(page).not.toMatch(/\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/i);
    // Of styles, the one that the policy names by its hash.
    const styles = [...page.matchAll(/<style[^>]*>([^<]*)/g)].map(([, text]) => text!);
    expect(styles).toHaveLength(1);
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(styles[0]));
    const hash = btoa(String.fromCharCode(...new Uint8Array(digest)));
    expect(playgroundPolicy).toContain(`style-src 'sha256-${hash}';`);
    expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });

  it('are a privacy statement in the same style, whose links lead somewhere', async () => {
    const answer = await get('/privacy');
    expect(answer.headers.get('Content-Type')).toContain('text/html');
    expect(answer.headers.get('Content-Security-Policy')).toBe(playgroundPolicy);
    const page = await answer.text();
    const style = (text: string) => /<style>([^<]*)/.exec(text)![1];
    expect(style(page)).toBe(style(await (await get('/')).text()));
    expect(page).not.toMatch(/<script|<!--|\sstyle=|src="/);
    for (const [, path] of page.matchAll(/href="(\/[^"]*)"/g)) {
      const { status, body } = await get(path!);
      await body?.cancel();
      expect([path, status]).toEqual([path, 200]);
    }
  });

  it('are scripts whose names contain a hash of their content', async () => {
    const page = await (await get('/')).text();
    const files = [...page.matchAll(/"(\/playground\/\w+\.(?:[0-9a-f]{12}|[0-9A-Z]{8})\.js)"/g)].map(
      ([, path]) => path!,
    );
    const names = files.map((path) => path.split('/').at(-1)!.split('.')[0]);
    // Beside what the page loads later, or shares with that.
    expect(names.filter((name) => name !== 'chunk').sort()).toEqual(['page', 'picture_worker', 'worker']);
    for (const path of files) {
      const answer = await get(path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('Content-Type')).toContain('javascript');
      expect(answer.headers.get('Cache-Control')).toContain('immutable');
      expect((await answer.text()).length).toBeGreaterThan(10);
    }
  });

  it('are 304 while unchanged', async () => {
    const first = await get('/');
    await first.body?.cancel();
    expect(first.headers.get('Cache-Control')).toBe('no-cache');
    const tag = first.headers.get('ETag')!;
    for (const known of [tag, `W/${tag.replace(/^W\//, '')}`, `"other", ${tag}`, '*']) {
      const again = await get('/', { headers: { 'If-None-Match': known } });
      expect([known, again.status]).toEqual([known, 304]);
      expect(again.headers.get('X-Service-Plan')).toBe('free');
      expect(again.headers.get('ETag')).toBe(tag);
      expect(await again.text()).toBe('');
    }
    const changed = await get('/', { headers: { 'If-None-Match': '"other"' } });
    expect(changed.status).toBe(200);
    await changed.body?.cancel();
  });

  it('are sent whole to who asks for a range', async () => {
    const answer = await get('/', { headers: { Range: 'bytes=0-9' } });
    expect(answer.status).toBe(200);
    expect((await answer.text()).length).toBeGreaterThan(1000);
  });

  it('are 404 with an error body if there is no such file', async () => {
    const answer = await get('/playground/nothing.js');
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: 'not_found' });
  });

  it('make the page installable', async () => {
    const answer = await get('/manifest.webmanifest');
    expect(answer.headers.get('Content-Type')).toContain('application/manifest+json');
    expect(answer.headers.get('Cache-Control')).toBe('no-cache');
    const manifest = (await answer.json()) as {
      icons: { src: string; sizes: string; type: string }[];
      share_target: unknown;
    };
    expect(manifest).toMatchObject({ start_url: '/', scope: '/', display: 'standalone' });
    expect(manifest.share_target).toMatchObject({ action: SHARE_ADDRESS, method: 'POST' });
    for (const { src, sizes, type } of manifest.icons) {
      const icon = await get(src);
      expect(icon.headers.get('Content-Type')).toContain(type);
      const bytes = new DataView(await icon.arrayBuffer());
      // Width and height stand at the beginning of a PNG's header (third edition, 11.2.1).
      if (type === 'image/png') expect(`${bytes.getUint32(16)}x${bytes.getUint32(20)}`).toBe(sizes);
    }
  });

  it('has a service worker that keeps what the page consists of', async () => {
    const answer = await get('/service_worker.js');
    expect(answer.headers.get('Content-Type')).toContain('javascript');
    expect(answer.headers.get('Cache-Control')).toBe('no-cache');
    const script = await answer.text();
    const page = await (await get('/')).text();
    for (const [, path] of page.matchAll(/"(\/playground\/[^"]+\.js)"/g)) expect(script).toContain(path);
    const kept = [...script.matchAll(/"(\/playground\/[^"]+)"/g)].map(([, path]) => path!);
    // Both networks that faces are found by.
    expect(kept.filter((path) => /\.onnx/.test(path))).toHaveLength(3);
    for (const path of kept) {
      const file = await get(path);
      await file.body?.cancel();
      expect(file.status, path).toBe(200);
    }
  });

  it('leads shared photos that no service worker took to the page, unread', async () => {
    const body = new FormData();
    body.append('photos', new File([new Uint8Array(1000)], 'holiday.jpg', { type: 'image/jpeg' }));
    const answer = await get('/share', { method: 'POST', body, redirect: 'manual' });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('Location')).toBe('/');
  });
});
