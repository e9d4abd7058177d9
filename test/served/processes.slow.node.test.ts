import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAlive } from '../fixtures/killed_runner.ts';
import { buildOwnServer, issueOwnKey, OWN_SECRETS, startOwnServer } from '../fixtures/own_server.ts';

// Several processes that work on pictures, and one that counts for all of them.
const BEHIND_PROXY = { TRUSTED_PROXY_HEADER: 'X-Real-IP' };

let folder: string;
let photo: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  buildOwnServer();
  folder = mkdtempSync(join(tmpdir(), 'processes-'));
  const image = sharp({ create: { width: 64, height: 48, channels: 3, background: '#804020' } });
  photo = new Uint8Array(await image.jpeg().toBuffer());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const start = (name: string, count = 2) =>
  startOwnServer(join(folder, name), BEHIND_PROXY, undefined, { processes: count });

const inspect = (address: string, headers: Record<string, string>) =>
  fetch(`${address}/v1/inspect`, {
    method: 'POST',
    headers: { 'Content-Type': 'image/jpeg', ...headers },
    body: photo,
  });

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

async function countedCalls(address: string, key: string): Promise<number> {
  const answer = await fetch(`${address}/v1/usage`, { headers: bearer(key) });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { calls: number }).calls;
}

const metricsOf = async (address: string) =>
  (await fetch(`${address}/metrics`, { headers: bearer(OWN_SECRETS.ADMIN_TOKEN!) })).text();

/** Calls, eight at once, until `isOver`; how many were answered with each status. */
async function callUntil(address: string, key: string, isOver: (answered: number) => boolean) {
  const statuses = new Map<number, number>();
  let answered = 0;
  const one = async () => {
    while (!isOver(answered)) {
      const { status } = await inspect(address, bearer(key));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      answered++;
    }
  };
  await Promise.all(Array.from({ length: 8 }, one));
  return statuses;
}

test('two processes gave two free calls: all count as one, and each does a part', async () => {
  await using server = await start('counts');
  const { address } = server;
  expect(server.imagePids).toHaveLength(2);
  const anonymous = Array.from({ length: 6 }, () => inspect(address, { 'X-Real-IP': '192.0.2.1' }));
  const statuses = (await Promise.all(anonymous)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 429, 429, 429, 429, 429]);
  expect((await inspect(address, { 'X-Real-IP': '192.0.2.2' })).status).toBe(200);

  const key = await issueOwnKey(address);
  expect(await callUntil(address, key, (answered) => answered >= 40)).toEqual(new Map([[200, 47]]));
  expect(await countedCalls(address, key)).toBe(47);
  const metrics = await metricsOf(address);
  const served = [
    ...metrics.matchAll(/requests_total\{route="\/v1\/inspect",.*status="200",process="(\d)"\} (\d+)/g),
  ];
  const byProcess = served.map(([, process, count]) => [process, Number(count) > 10]);
  expect(byProcess).toEqual([
    ['1', true],
    ['2', true],
  ]);
  expect(served.reduce((sum, [, , count]) => sum + Number(count), 0)).toBe(49);

  // One picture with one idempotency key is one call, whichever process gets it.
  const repeated = { ...bearer(key), 'Idempotency-Key': 'the-same-call' };
  for (let attempt = 0; attempt < 3; attempt++) expect((await inspect(address, repeated)).status).toBe(200);
  expect(await countedCalls(address, key)).toBe(48);
});

test('a process that is killed under load is started again, and loses its own calls alone', async () => {
  await using server = await start('killed');
  const { address } = server;
  const key = await issueOwnKey(address);
  let killed = 0;
  const statuses = await callUntil(address, key, (answered) => {
    if (killed === 0 && answered >= 30) {
      killed = server.imagePids[0]!;
      process.kill(killed, 'SIGKILL');
    }
    return answered >= 150;
  });
  const lost = statuses.get(503) ?? 0;
  const answered = statuses.get(200) ?? 0;
  expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(lost).toBeLessThanOrEqual(8);
  // What was admitted by the killed process stays counted for an hour.
  const counted = await countedCalls(address, key);
  expect(counted).toBeGreaterThanOrEqual(answered);
  expect(counted).toBeLessThanOrEqual(answered + lost);
  await expect.poll(() => server.lines.join('\n'), { timeout: 10_000 }).toContain('takes its place');
  expect(isAlive(killed)).toBe(false);
  expect(await metricsOf(address)).toContain('process="2"');
});

test('the counting process that is killed under load is started again: no call is refused or lost', async () => {
  await using server = await start('counter');
  const { address } = server;
  const key = await issueOwnKey(address);
  let isKilled = false;
  const statuses = await callUntil(address, key, (answered) => {
    if (!isKilled && answered >= 30) {
      isKilled = true;
      process.kill(server.counterPid, 'SIGKILL');
    }
    return answered >= 150;
  });
  expect(statuses).toEqual(new Map([[200, 157]]));
  expect(await countedCalls(address, key)).toBe(157);
  expect(isAlive(server.counterPid)).toBe(false);
});

test('SIGHUP takes a new build: all processes are new, and no call is refused', async () => {
  await using server = await start('renewed');
  const { address } = server;
  const key = await issueOwnKey(address);
  const isRenewed = () => server.lines.some((line) => line.startsWith('Renewed'));
  let isAsked = false;
  const statuses = await callUntil(address, key, (answered) => {
    if (!isAsked && answered >= 20) {
      isAsked = true;
      process.kill(server.pid, 'SIGHUP');
    }
    return isRenewed() && answered >= 100;
  });
  expect([...statuses.keys()]).toEqual([200]);
  expect(await countedCalls(address, key)).toBe(statuses.get(200));
  for (const pid of [server.counterPid, ...server.imagePids]) expect(isAlive(pid)).toBe(false);
});

test('SIGHUP with a build that does not start leaves all as it is', async () => {
  await using server = await start('not_renewed');
  const { address } = server;
  const [good, kept] = ['dist/server/config.bin', 'dist/server/config.kept'];
  renameSync(good, kept);
  writeFileSync(good, 'no configuration');
  try {
    process.kill(server.pid, 'SIGHUP');
    const lines = () => server.lines.join('\n');
    await expect.poll(lines, { timeout: 20_000 }).toContain('The new build does not start');
  } finally {
    renameSync(kept, good);
  }
  const key = await issueOwnKey(address);
  for (let call = 0; call < 4; call++) expect((await inspect(address, bearer(key))).status).toBe(200);
  expect([server.counterPid, ...server.imagePids].map(isAlive)).toEqual([true, true, true]);
});

test('all processes end with the program that started them, by a signal or a kill', async () => {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    await using server = await start('ended', 3);
    const pids = [server.counterPid, ...server.imagePids];
    expect(pids.map(isAlive)).toEqual([true, true, true, true]);
    process.kill(server.pid, signal);
    await expect.poll(() => pids.map(isAlive), { timeout: 10_000 }).toEqual([false, false, false, false]);
  }
});
