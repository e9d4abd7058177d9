import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { buildOwnServer, issueOwnKey, type OwnServer, startOwnServer } from '../fixtures/own_server.ts';
import { haveTools } from '../fixtures/tools.ts';

// deploy/Caddyfile in front of the server, with certificates that Caddy signs itself.
const isInstalled = haveTools('caddy');

const SITE = 'sanitizer.example';
const folder = mkdtempSync(join(tmpdir(), 'proxy-'));
const authority = join(folder, 'caddy/pki/authorities/local/root.crt');
let server: OwnServer;
let caddy: ReturnType<typeof spawn>;
let port = 0;
let agent: Agent;
let photo: Buffer;

beforeAll(async () => {
  if (!isInstalled) return;
  buildOwnServer();
  photo = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#804020' } })
    .jpeg()
    .toBuffer();
  server = await startOwnServer(join(folder, 'data'), {
    PUBLIC_ORIGIN: `https://${SITE}`,
    TRUSTED_PROXY_HEADER: 'X-Real-IP',
  });
  port = await freePort();
  const options = [
    'admin off',
    'local_certs',
    'skip_install_trust',
    `https_port ${port}`,
    'auto_https disable_redirects',
  ];
  writeFileSync(
    join(folder, 'Caddyfile'),
    `{\n${options.join('\n')}\n}\nimport ${resolve('deploy/Caddyfile')}\n`,
  );
  caddy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], {
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      SITE,
      UPSTREAM: new URL(server.address).host,
    },
    stdio: 'ignore',
  });
  await vi.waitFor(() => expect(existsSync(authority)).toBe(true), { timeout: 20_000, interval: 100 });
  agent = new Agent({ ca: readFileSync(authority), servername: SITE });
  await vi.waitFor(() => call('/v1/health'), { timeout: 20_000, interval: 100 });
});
afterAll(async () => {
  agent?.destroy();
  if (caddy?.kill()) await once(caddy, 'exit');
  await server?.[Symbol.asyncDispose]();
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

interface Call {
  readonly headers?: Record<string, string>;
  readonly body?: Buffer;
  readonly from?: string;
}

/** One call of the site, over a connection to this machine. @param from the client's address */
async function call(path: string, { headers, body, from = '127.0.0.1' }: Call = {}) {
  const sent = request({
    agent,
    host: '127.0.0.1',
    port,
    path,
    localAddress: from,
    method: body ? 'POST' : 'GET',
    headers: {
      Host: SITE,
      ...(body && { 'Content-Type': 'image/jpeg', 'Content-Length': body.length }),
      ...headers,
    },
  });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = await answer.toArray();
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: Buffer.concat(chunks).toString('latin1'),
  };
}

test.skipIf(!isInstalled)('a client can not tell another address than its own', async () => {
  const statuses: unknown[] = [];
  for (const name of ['X-Real-IP', 'X-Forwarded-For', 'Forwarded', 'CF-Connecting-IP', 'x_real_ip']) {
    const headers = { [name]: `198.51.100.${statuses.length}` };
    statuses.push((await call('/v1/inspect', { headers, body: photo })).status);
  }
  expect(statuses).toEqual([200, 429, 429, 429, 429]);
  expect((await call('/v1/inspect', { body: photo, from: '127.0.0.2' })).status).toBe(200);
});

test.skipIf(!isInstalled)('the world is told to use TLS, and finds no address of the operator', async () => {
  expect((await call('/v1/health')).headers['strict-transport-security']).toBe('max-age=31536000');
  for (const path of [
    '/v1/keys',
    '/v1/keys/',
    '/v1/keys/key_1',
    '/V1/keys',
    '/v1//keys',
    '/v1/keys%2fx',
    '/metrics',
  ])
    expect([path, (await call(path)).status]).toEqual([path, 404]);
});

test.skipIf(!isInstalled)(
  'an image of 25 MB passes, and one too large has the answer of the service',
  async () => {
    const headers = { Authorization: `Bearer ${await issueOwnKey(server.address)}` };
    const withTrailer = (bytes: number) => Buffer.concat([photo, Buffer.alloc(bytes - photo.length)]);
    expect((await call('/v1/inspect', { headers, body: withTrailer(25 * 2 ** 20) })).status).toBe(200);
    const refused = await call('/v1/inspect', { headers, body: withTrailer(45e6) });
    expect(refused.status).toBe(413);
    expect(JSON.parse(refused.body)).toMatchObject({ error: 'payload_too_large' });
  },
);
