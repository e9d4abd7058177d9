import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAlive } from '../fixtures/killed_runner.ts';
import { buildOwnServer, issueOwnKey, startOwnServer } from '../fixtures/own_server.ts';

let data: string;
let photo: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  buildOwnServer();
  data = mkdtempSync(join(tmpdir(), 'own-server-'));
  const image = sharp({ create: { width: 64, height: 48, channels: 3, background: '#804020' } });
  photo = new Uint8Array(
    await image
      .jpeg()
      .withExif({ IFD0: { Artist: 'someone' } })
      .toBuffer(),
  );
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

const call = (address: string, key: string, path = '/v1/inspect') =>
  fetch(`${address}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'image/jpeg', Authorization: `Bearer ${key}` },
    body: photo,
  });

async function countedCalls(address: string, key: string): Promise<number> {
  const answer = await fetch(`${address}/v1/usage`, { headers: { Authorization: `Bearer ${key}` } });
  return ((await answer.json()) as { calls: number }).calls;
}

test('serves images and pages; a page that is known is not sent again', async () => {
  await using server = await startOwnServer(data);
  const clean = await call(server.address, await issueOwnKey(server.address), '/v1/sanitize');
  expect(clean.status).toBe(200);
  expect((await sharp(await clean.arrayBuffer()).metadata()).exif).toBeUndefined();

  const page = await fetch(`${server.address}/`);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const script = /src="(\/playground\/[^"]+\.js)"/.exec(await page.text())?.[1];
  const scripted = await fetch(`${server.address}${script}`);
  expect(scripted.status).toBe(200);
  expect(scripted.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  await scripted.body?.cancel();
  for (const known of [`W/${page.headers.get('etag')}`, '*']) {
    const again = await fetch(`${server.address}/`, { headers: { 'If-None-Match': known } });
    expect([known, again.status]).toEqual([known, 304]);
  }
  for (const path of ['/playground/', '/playground/..%2f..%2fconfig.capnp', '/docs/.']) {
    const answer = await fetch(`${server.address}${path}`, { redirect: 'manual' });
    expect([path, (await answer.text()).includes('"type":')]).toEqual([path, false]);
  }
});

test('files of the page have types that browsers take for what they are', async () => {
  await using server = await startOwnServer(data);
  for (const [path, type] of [
    ['/manifest.webmanifest', 'application/manifest+json'],
    ['/playground/manifest.de.webmanifest', 'application/manifest+json'],
    ['/playground/icon-192.png', 'image/png'],
    ['/playground/icon.svg', 'image/svg+xml'],
    ['/service_worker.js', 'text/javascript; charset=utf-8'],
    ['/playground/notices.txt', 'text/plain; charset=utf-8'],
    ['/docs', 'text/html; charset=utf-8'],
  ] as const) {
    const answer = await fetch(server.address + path);
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, type]);
    await answer.body?.cancel();
  }
});

test('passes the smoke test of a deployment', async () => {
  await using server = await startOwnServer(data);
  const output = execFileSync(process.execPath, ['scripts/smoke/main.mjs', server.address], {
    encoding: 'utf8',
    env: { ...process.env, IMAGE_SANITIZER_KEY: await issueOwnKey(server.address) },
  });
  expect(output.match(/^ok /gm)).toHaveLength(7);
});

test('kill -9 of all processes under load loses no call that was answered, and counts none twice', async () => {
  let key = '';
  let answered = 0;
  let begun = 0;
  for (const round of [1, 2, 3]) {
    await using server = await startOwnServer(data);
    key ||= await issueOwnKey(server.address);
    // What is counted before the load is what earlier rounds were charged, whoever was killed since.
    const before = await countedCalls(server.address, key);
    expect(before).toBeGreaterThanOrEqual(answered);
    expect(before).toBeLessThanOrEqual(begun);
    const enough = answered + 60 + round * 7;
    let killed = false;
    const client = async () => {
      while (!killed) {
        begun++;
        const answer = await call(server.address, key).catch(() => null);
        const whole = await answer?.json().catch(() => null);
        if (!whole) return;
        expect(answer!.status).toBe(200);
        answered++;
        if (answered < enough || killed) continue;
        killed = true;
        process.kill(server.pid, 'SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: 8 }, client));
    await server.ended;
    await expect.poll(() => isAlive(server.counterPid), { timeout: 10_000 }).toBe(false);
  }
  await using server = await startOwnServer(data);
  const counted = await countedCalls(server.address, key);
  expect(counted).toBeGreaterThanOrEqual(answered);
  expect(counted).toBeLessThanOrEqual(begun);
  // The counters go on from there.
  expect((await call(server.address, key)).status).toBe(200);
  expect(await countedCalls(server.address, key)).toBe(counted + 1);
});

test.skipIf(process.platform !== 'linux')(
  'a folder has one server at a time, a killed one leaves it',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'own-server-lock-'));
    try {
      await using first = await startOwnServer(folder);
      await expect(startOwnServer(folder)).rejects.toThrow('Another server has the folder');
      expect((await fetch(`${first.address}/v1/health`)).status).toBe(200);
      process.kill(first.pid, 'SIGKILL');
      await expect.poll(() => isAlive(first.runtimePid), { timeout: 10_000 }).toBe(false);
      await using second = await startOwnServer(folder);
      expect((await fetch(`${second.address}/v1/health`)).status).toBe(200);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s lets a call that has begun end, and takes no more',
  async (signal) => {
    await using server = await startOwnServer(data);
    const key = await issueOwnKey(server.address);
    const { port } = new URL(server.address);
    const socket = connect(Number(port), '127.0.0.1');
    let received = '';
    socket.on('data', (text) => (received += text));
    const closed = new Promise((done) => socket.once('close', done));
    const head = [
      'POST /v1/inspect HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${key}`,
      'Content-Type: image/jpeg',
      `Content-Length: ${photo.length}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.write(photo.subarray(0, 100));
    // The call is admitted once it is counted.
    await expect.poll(() => countedCalls(server.address, key), { timeout: 10_000 }).toBe(1);

    process.kill(server.pid, signal);
    const unanswered = () =>
      fetch(`${server.address}/v1/health`, { signal: AbortSignal.timeout(1000) }).then(
        () => false,
        () => true,
      );
    await expect.poll(unanswered, { timeout: 10_000 }).toBe(true);
    expect(isAlive(server.runtimePid)).toBe(true);
    socket.write(photo.subarray(100));
    await closed;
    expect(received).toMatch(/^HTTP\/1\.1 200 /);
    expect(received).toContain('"metadata_blocks_present":["exif"]');
    await server.ended;
    expect(isAlive(server.runtimePid)).toBe(false);
  },
);

test('the runtime ends when the program that started it is killed', async () => {
  await using server = await startOwnServer(data);
  process.kill(server.pid, 'SIGKILL');
  await expect.poll(() => isAlive(server.runtimePid), { timeout: 10_000 }).toBe(false);
});
