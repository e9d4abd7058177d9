import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyCounters } from '../../scripts/serve/copy_counters.mjs';
import { isAlive } from '../fixtures/killed_runner.ts';
import { buildOwnServer, issueOwnKey, type OwnServer, startOwnServer } from '../fixtures/own_server.ts';

let folder: string;
let photo: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  buildOwnServer();
  folder = mkdtempSync(join(tmpdir(), 'backup-'));
  const image = sharp({ create: { width: 32, height: 24, channels: 3, background: '#204060' } });
  photo = new Uint8Array(await image.jpeg().toBuffer());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Usage {
  readonly calls: number;
  readonly billable_calls: number;
}

async function usageOf({ address }: OwnServer, key: string): Promise<Usage> {
  const answer = await fetch(`${address}/v1/usage`, { headers: { Authorization: `Bearer ${key}` } });
  expect(answer.status).toBe(200);
  return answer.json() as Promise<Usage>;
}

async function call({ address }: OwnServer, key: string): Promise<number> {
  const headers = { 'Content-Type': 'image/jpeg', Authorization: `Bearer ${key}` };
  const answer = await fetch(`${address}/v1/inspect`, { method: 'POST', headers, body: photo });
  await answer.arrayBuffer();
  return answer.status;
}

const backup = (data: string, to: string) =>
  promisify(execFile)(process.execPath, [
    '--no-warnings',
    'scripts/serve/backup.mjs',
    '--data',
    data,
    '--to',
    to,
  ]);

test('a backup made under load is restored with a count between those before and after it', async () => {
  const data = join(folder, 'data');
  const backups: { to: string; before: number[]; after: number[] }[] = [];
  let keys: string[];
  {
    await using server = await startOwnServer(data);
    const { address } = server;
    keys = await Promise.all(Array.from({ length: 4 }, () => issueOwnKey(address)));
    // Admitted before a call is answered: a backup may have calls that are on their way.
    const begun = keys.map(() => 0);
    const answered = keys.map(() => 0);
    let isOver = false;
    const load = keys.map(async (key, index) => {
      while (!isOver) {
        begun[index]!++;
        expect(await call(server, key)).toBe(200);
        answered[index]!++;
      }
    });
    for (const round of [1, 2, 3]) {
      const to = join(folder, `backup ${round}`);
      const before = [...answered];
      const { stdout } = await backup(data, to);
      expect(stdout).toMatch(/^\d+ databases, /);
      backups.push({ to, before, after: [...begun] });
    }
    isOver = true;
    await Promise.all(load);
    expect(answered.reduce((sum, count) => sum + count)).toBeGreaterThan(keys.length);
    for (const [index, key] of keys.entries())
      expect((await usageOf(server, key)).calls).toBe(answered[index]);
  }
  for (const { to, before, after } of backups) {
    await using restored = await startOwnServer(to);
    for (const [index, key] of keys.entries()) {
      const usage = await usageOf(restored, key);
      expect(usage.calls).toBeGreaterThanOrEqual(before[index]!);
      expect(usage.calls).toBeLessThanOrEqual(after[index]!);
      // The load is shorter than two windows, each of which has one free call at most.
      if (usage.calls > 0) expect(usage.billable_calls).toBeLessThan(usage.calls);
      // The counters go on from there.
      expect(await call(restored, key)).toBe(200);
      expect((await usageOf(restored, key)).calls).toBe(usage.calls + 1);
    }
  }
});

test('the counters of a server that was killed, or has ended, are copied, too', async () => {
  const data = join(folder, 'killed');
  let key: string;
  {
    await using server = await startOwnServer(data);
    key = await issueOwnKey(server.address);
    expect(await call(server, key)).toBe(200);
    process.kill(server.pid, 'SIGKILL');
    await server.ended;
    await expect.poll(() => isAlive(server.counterPid), { timeout: 10_000 }).toBe(false);
  }
  copyCounters(data, join(folder, 'of killed'));
  {
    await using restored = await startOwnServer(join(folder, 'of killed'));
    expect((await usageOf(restored, key)).calls).toBe(1);
  }
  copyCounters(join(folder, 'of killed'), join(folder, 'of ended'));
  await using again = await startOwnServer(join(folder, 'of ended'));
  expect((await usageOf(again, key)).calls).toBe(1);
});

test('a folder that is there, or has no counters, is refused; nothing is left of it', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ['--no-warnings', 'scripts/serve/backup.mjs', ...args], { encoding: 'utf8' });
  const empty = mkdtempSync(join(folder, 'empty-'));
  expect(run('--data', empty, '--to', join(folder, 'new'))).toMatchObject({ status: 1 });
  expect(run('--data', empty, '--to', join(folder, 'new')).stderr).toContain('no folder of counters');
  expect(run('--data', join(folder, 'data'), '--to', empty).stderr).toContain('is there already');
  expect(run('--data', empty).stderr).toContain('--to    folder');
  expect(existsSync(join(folder, 'new'))).toBe(false);
  expect(readdirSync(empty)).toEqual([]);
});
