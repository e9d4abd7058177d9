import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import sharp from 'sharp';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildOwnServer, issueOwnKey, startOwnServer } from '../fixtures/own_server.ts';

const behindProxy = { TRUSTED_PROXY_HEADER: 'X-Real-IP' };
let data: string;
let photo: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  buildOwnServer();
  const image = sharp({ create: { width: 32, height: 24, channels: 3, background: '#406080' } });
  photo = new Uint8Array(await image.jpeg().toBuffer());
});
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'retention-'));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

/** Every file of the folder: its path, and what is in it. */
function filesOf(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).sort();
  return new Map(paths.map((path) => [relative(folder, path), readFileSync(path, 'latin1')]));
}

/** @returns the status of a call without a key from this address */
async function callFrom(address: string, server: string, body: BodyInit = photo): Promise<number> {
  const answer = await fetch(`${server}/v1/inspect`, {
    method: 'POST',
    headers: { 'Content-Type': 'image/jpeg', 'X-Real-IP': address },
    body,
  });
  await answer.arrayBuffer();
  return answer.status;
}

test('networks without a key are counted, and leave nothing in the folder of the counters', async () => {
  {
    await using server = await startOwnServer(data, behindProxy);
    const before = filesOf(data);
    for (let host = 1; host <= 60; host++) {
      const address = host % 2 === 0 ? `203.0.113.${host}` : `2001:db8:0:${host.toString(16)}::1`;
      expect([address, await callFrom(address, server.address)]).toEqual([address, 200]);
      expect([address, await callFrom(address, server.address)]).toEqual([address, 429]);
    }
    expect(await callFrom('198.51.100.1', server.address, 'no picture')).toBe(422);
    expect(filesOf(data)).toEqual(before);
  }
  // Nor when the server has ended; its lock and the folder's own tables are there before anybody calls.
  expect([...filesOf(data).keys()].filter((path) => /[0-9a-f]{64}/.test(path))).toEqual([]);
});

/** What the alarm of an earlier version left of a network: a database without tables, and a deleted row. */
function leaveEmptied(folder: string, file: string, name: string): void {
  const emptied = new DatabaseSync(join(folder, `${file}.sqlite`));
  emptied.exec('PRAGMA journal_mode = WAL; CREATE TABLE places (id INTEGER); DROP TABLE places; VACUUM');
  emptied.close();
  const alarms = new DatabaseSync(join(folder, 'metadata.sqlite'));
  alarms.exec('PRAGMA journal_mode = WAL; PRAGMA secure_delete = OFF');
  alarms.prepare('INSERT INTO _cf_ALARM VALUES (?, 1, ?)').run(file, name);
  alarms.exec('DELETE FROM _cf_ALARM WHERE scheduled_time = 1');
  alarms.close();
}

test.skipIf(process.platform !== 'linux')(
  'what earlier versions have left of networks goes at the next start; keys keep their counts',
  async () => {
    let key = '';
    const usage = async (server: string) => {
      const answer = await fetch(`${server}/v1/usage`, { headers: { Authorization: `Bearer ${key}` } });
      return ((await answer.json()) as { calls: number }).calls;
    };
    {
      await using server = await startOwnServer(data, behindProxy);
      key = await issueOwnKey(server.address);
      const headers = { 'Content-Type': 'image/jpeg', Authorization: `Bearer ${key}` };
      const answer = await fetch(`${server.address}/v1/inspect`, { method: 'POST', headers, body: photo });
      expect(answer.status).toBe(200);
      await answer.arrayBuffer();
    }
    const folder = join(data, 'objects/CallMeter');
    const networks = ['1', '2', '3'].map((digit) => ({
      file: digit.repeat(64),
      name: `anonymous_${digit.repeat(63)}f`,
    }));
    const before = new Set(filesOf(folder).keys());
    for (const { file, name } of networks) leaveEmptied(folder, file, name);
    const left = [...filesOf(folder)];
    expect(left.filter(([path]) => networks.some(({ file }) => path.startsWith(file)))).toHaveLength(3);
    expect(left.some(([, content]) => networks.some(({ name }) => content.includes(name)))).toBe(true);
    await using server = await startOwnServer(data, behindProxy);
    expect(await usage(server.address)).toBe(1);
    for (const [path, content] of filesOf(folder))
      for (const { file, name } of networks)
        expect([path, path.includes(file), content.includes(file) || content.includes(name)]).toEqual([
          path,
          false,
          false,
        ]);
    expect([...before].filter((path) => path.endsWith('.sqlite')).sort()).toEqual(
      [...filesOf(folder).keys()].filter((path) => path.endsWith('.sqlite')).sort(),
    );
  },
);
