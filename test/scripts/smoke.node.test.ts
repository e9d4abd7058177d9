import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';

/** A service that answers as told; everything else is as it should be. */
async function smoke(change: (path: string, response: ServerResponse, body: Buffer) => boolean) {
  const server = createServer(async (request: IncomingMessage, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts);
    const path = request.url!;
    if (change(path, response, body)) return;
    if (path === '/v1/sanitize') response.setHeader('X-Service-Retention', 'none').end(JPEG);
    else if (path === '/v1/usage' || path === '/v1/keys') response.writeHead(401).end();
    else if (path === '/openapi.json') response.end('{"servers":[{"url":"/"}]}');
    else if (path === '/v1/health') response.end('{"status":"ok"}');
    else response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Security-Policy': 'x' }).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const child = spawn(process.execPath, ['scripts/smoke/main.mjs', `http://127.0.0.1:${port}`]);
  let output = '';
  child.stdout.on('data', (text) => (output += text));
  const status = await new Promise((done) => child.once('close', done));
  server.close();
  return { status, failed: [...output.matchAll(/^FAILED {2}([^:]+)/gm)].map(([, name]) => name) };
}

const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xd9]);

test('passes a service that is as it should be', async () => {
  expect(await smoke(() => false)).toEqual({ status: 0, failed: [] });
});

test.each<[string, string, (response: ServerResponse, body: Buffer) => void]>([
  ['is up', '/v1/health', (response) => response.end('{"status":"down"}')],
  [
    'cleans a picture',
    '/v1/sanitize',
    // A JPEG that still has the metadata.
    (response, body) => response.setHeader('X-Service-Retention', 'none').end(Buffer.concat([JPEG, body])),
  ],
  ['cleans a picture', '/v1/sanitize', (response) => response.end(JPEG)],
  ['refuses a wrong key', '/v1/usage', (response) => response.end('{}')],
  ['issues keys to nobody without the admin token', '/v1/keys', (response) => response.writeHead(201).end()],
  [
    'describes itself under its own address',
    '/openapi.json',
    (response) => response.end('{"servers":[{"url":"https://other.test"}]}'),
  ],
  ['serves its pages', '/docs', (response) => response.writeHead(404).end()],
])('fails where it should: %s, at %s', async (name, at, answer) => {
  const result = await smoke((path, response, body) => {
    if (path === at) answer(response, body);
    return path === at;
  });
  expect(result).toEqual({ status: 1, failed: [name] });
});
