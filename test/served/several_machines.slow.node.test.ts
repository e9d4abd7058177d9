import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { buildOwnServer, OWN_SECRETS, type OwnServer, startOwnServer } from '../fixtures/own_server.ts';
import { haveTools, toolPath } from '../fixtures/tools.ts';

// deploy/nginx.conf in front of two servers that share nothing but their secrets.
const isInstalled = haveTools('nginx');
const operator = {
  Authorization: `Bearer ${OWN_SECRETS.ADMIN_TOKEN}`,
  'Content-Type': 'application/json',
};

const folder = mkdtempSync(join(tmpdir(), 'machines-'));
let machines: OwnServer[] = [];
let nginx: ChildProcess;
let port = 0;
let photo: Buffer;

beforeAll(async () => {
  if (!isInstalled) return;
  buildOwnServer();
  photo = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#804020' } })
    .jpeg()
    .toBuffer();
  const settings = { TRUSTED_PROXY_HEADER: 'X-Real-IP' };
  machines = [
    await startOwnServer(join(folder, 'one'), settings),
    await startOwnServer(join(folder, 'other'), settings),
  ];
  port = await freePort();
  const hosts = machines.map(({ address }) => new URL(address).host);
  const site = readFileSync('deploy/nginx.conf', 'utf8')
    .replace('10.0.0.11:8787', hosts[0]!)
    .replace('10.0.0.12:8787', hosts[1]!)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}; listen [::1]:${port}`)
    .replace(/^\s*ssl_certificate.*$/gm, '');
  writeFileSync(join(folder, 'site.conf'), site);
  mkdirSync(join(folder, 'temp'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, 'temp', name)};`)
    .join('\n');
  const main = `daemon off; pid ${folder}/pid; error_log ${folder}/errors; events {}
http { ${temporary} include ${folder}/site.conf; }`;
  writeFileSync(join(folder, 'nginx.conf'), main);
  nginx = spawn(toolPath('nginx')!, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'], {
    stdio: 'inherit',
  });
  await vi.waitFor(() => call('/v1/health'), { timeout: 20_000, interval: 100 });
});
afterAll(async () => {
  if (nginx?.kill('SIGTERM')) await once(nginx, 'exit');
  for (const machine of machines) await machine[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  return port;
}

/** One call by the proxy, over a connection of its own. @param from the client's address */
async function call(path: string, headers: Record<string, string> = {}, body?: Buffer, from = '127.0.0.1') {
  const sent = request({
    agent: false,
    host: from.includes(':') ? '::1' : '127.0.0.1',
    localAddress: from,
    port,
    path,
    method: body ? 'POST' : 'GET',
    headers: { ...(body && { 'Content-Type': 'image/jpeg', 'Content-Length': body.length }), ...headers },
  });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, body: Buffer.concat(await answer.toArray()).toString('latin1') };
}

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

/** A key that is counted at the machine where it was issued, as docs/deploying.md says. */
async function keyOf(machine: OwnServer): Promise<{ key: string; key_id: string }> {
  for (;;) {
    const issued = await fetch(`${machine.address}/v1/keys`, {
      method: 'POST',
      headers: operator,
      body: '{"plan":"pro"}',
    });
    const key = (await issued.json()) as { key: string; key_id: string };
    if ((await call('/v1/usage', bearer(key.key))).status === 200) return key;
    await fetch(`${machine.address}/v1/keys/${key.key_id}`, { method: 'DELETE', headers: operator });
  }
}

test.skipIf(!isInstalled)('a key is counted at one machine, exactly, also once it is rotated', async () => {
  for (const machine of machines) {
    const { key, key_id } = await keyOf(machine);
    for (let made = 0; made < 12; made++)
      expect((await call('/v1/inspect', bearer(key), photo)).status).toBe(200);
    const rotated = await fetch(`${machine.address}/v1/keys/${key_id}/rotate`, {
      method: 'POST',
      headers: operator,
      body: '{"overlap_seconds":60}',
    });
    const next = ((await rotated.json()) as { key: string }).key;
    expect(next).not.toBe(key);
    for (let made = 0; made < 4; made++)
      expect((await call('/v1/inspect', bearer(next), photo)).status).toBe(200);
    expect(JSON.parse((await call('/v1/usage', bearer(next))).body)).toMatchObject({ calls: 16 });
  }
});

test.skipIf(!isInstalled)(
  'a network without a key has one free call, whatever address it says it has',
  async () => {
    for (const from of ['127.0.0.7', '127.0.0.8', '::1']) {
      const statuses: (number | undefined)[] = [];
      for (let made = 0; made < 5; made++) {
        const claimed = { 'X-Real-IP': `198.51.100.${made}`, 'X-Forwarded-For': `198.51.100.${made}` };
        statuses.push((await call('/v1/inspect', claimed, photo, from)).status);
      }
      expect([from, statuses]).toEqual([from, [200, 429, 429, 429, 429]]);
    }
  },
);

test.skipIf(!isInstalled)('the world finds no address of the operator', async () => {
  for (const path of ['/v1/keys', '/v1/keys/key_1', '/v1//keys', '/v1/keys%2fx', '/metrics'])
    expect([path, (await call(path, operator)).status]).toEqual([path, 404]);
});
