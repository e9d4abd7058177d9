import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scan } from '../../src/metadata/scan.ts';
import { visit } from './chromium.ts';
import { cleanPhoto, download, drop, served, waitForFaces } from './page_actions.ts';
import { people, phoneJpeg, photoSize } from './photos.ts';
import { detail, pixelsOf } from './pixel_measures.ts';

/** Hands requests on to the served Worker, until it is turned off as a network is. */
class Network {
  address = '';
  isOn = true;
  /** What came over it that was no plain reading: methods, addresses, bytes of bodies. */
  readonly sent: string[] = [];
  readonly #server: Server = createServer((incoming, outgoing) => {
    if (!this.isOn) {
      incoming.socket.destroy();
      return;
    }
    const { method = 'GET', url = '/', headers } = incoming;
    if (method !== 'GET') this.sent.push(`${method} ${url}`);
    incoming.on('data', (part: Buffer) => this.sent.push(`${part.length} bytes to ${url}`));
    const call = request(`${served!.address}${url}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    call.on('error', () => outgoing.destroy());
    incoming.pipe(call);
  });

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.address = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** Addresses that the page's caches hold. */
const kept = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const requests = await Promise.all(caches_.map((cache) => cache.keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });

/** Opens the page and waits until its service worker has taken over. */
async function firstVisit(page: Page, address: string): Promise<void> {
  page.setDefaultTimeout(60_000);
  await page.goto(address);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller) {
      await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve));
    }
  });
}

describe.skipIf(!served)('the page without a network', () => {
  const network = new Network();
  beforeAll(() => network.start());
  afterAll(() => network.stop());

  it('opens after the first visit, and cleans a photo with faces', async () => {
    network.isOn = true;
    await using visitor = await visit({ serviceWorkers: 'allow' });
    const { page } = visitor;
    const began = Date.now();
    await firstVisit(page, network.address);
    // Chromium offers to install a page that has what it takes.
    await page.waitForSelector('#install:visible');
    // The face finder, its networks and their code, has come before any face was looked for.
    await expect
      .poll(async () => (await kept(page)).filter((path) => /face_detector|yunet_n/.test(path)))
      .toHaveLength(4);
    console.log(`offline: ready ${((Date.now() - began) / 1000).toFixed(1)} s after the page was asked for`);

    network.isOn = false;
    await page.goto('about:blank');
    await page.goto(network.address);
    await drop(page, await phoneJpeg(), 'second.jpg', 'image/jpeg');
    await waitForFaces(page);
    await cleanPhoto(page);
    const { name, bytes } = await download(page);
    expect(name).toBe('photo-1.jpg');
    expect(scan(new Uint8Array(bytes))).toMatchObject({ ...photoSize, blocks: [] });
    expect(await page.textContent('#result')).toContain('2 faces were found and hidden.');
    const pixels = await pixelsOf(bytes);
    for (const face of people) expect(detail(pixels, face)).toBeLessThan(0.1);
    expect(network.sent).toEqual([]);
  });

  it('keeps files of the page alone: no answer of the service, and no photo', async () => {
    network.isOn = true;
    await using visitor = await visit({ serviceWorkers: 'allow' });
    const { page } = visitor;
    await firstVisit(page, network.address);
    const status = await page.evaluate(async () => {
      const usage = await fetch('/v1/usage');
      const pricing = await fetch('/v1/pricing');
      return [usage.status, pricing.status];
    });
    expect(status).toEqual([401, 200]);
    await drop(page, await phoneJpeg(), 'first.jpg', 'image/jpeg');
    await waitForFaces(page);
    const paths = await kept(page);
    expect(paths).toEqual(expect.arrayContaining(['/', '/privacy']));
    expect(paths.filter((path) => !/^\/(?:$|privacy$|playground\/)/.test(path))).toEqual([]);
    network.isOn = false;
    const failed = await page.evaluate(() => fetch('/v1/pricing').then(String, () => 'failed'));
    expect(failed).toBe('failed');
  });

  it('takes a photo that is shared to it, and cleans it without sending it', async () => {
    network.isOn = true;
    await using visitor = await visit({ serviceWorkers: 'allow' });
    const { page } = visitor;
    await firstVisit(page, network.address);
    const photo = (await phoneJpeg()).toString('base64');
    // As a gallery's "share" does, whose answer leads to the page.
    const leadsTo = await page.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const body = new FormData();
      body.append('photos', new File([bytes], 'shared.jpg', { type: 'image/jpeg' }));
      const answer = await fetch('/share', { method: 'POST', body, redirect: 'follow' });
      return answer.url;
    }, photo);
    await page.goto(leadsTo);
    await waitForFaces(page);
    expect(await page.textContent('#findings')).toContain('48.858333°\u00a0N');
    expect(new URL(page.url()).search).toBe('');
    await cleanPhoto(page);
    const { name, bytes } = await download(page);
    expect(name).toBe('photo-1.jpg');
    expect(scan(new Uint8Array(bytes))).toMatchObject({ ...photoSize, blocks: [] });
    const pixels = await pixelsOf(bytes);
    for (const face of people) expect(detail(pixels, face)).toBeLessThan(0.1);
    expect(network.sent).toEqual([]);
    await page.reload();
    await page.waitForSelector('#intake:visible');
  });
});
