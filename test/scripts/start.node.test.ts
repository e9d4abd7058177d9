import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { isPortFree } from '../../scripts/start/free_port.mjs';

/** A server at one address of this machine, and what it was sent. */
async function stranger(host: string) {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`);
    response.end('{}');
  });
  await new Promise<void>((listening) => server.listen(0, host, listening));
  const { port } = server.address() as AddressInfo;
  return { port, received, [Symbol.dispose]: () => void server.close() };
}

describe('isPortFree', () => {
  test.each(['127.0.0.1', '0.0.0.0'])('sees who listens at %s only', async (host) => {
    using other = await stranger(host);
    expect(await isPortFree(other.port)).toBe(false);
  });

  test('is true once nobody listens', async () => {
    const other = await stranger('127.0.0.1');
    other[Symbol.dispose]();
    expect(await isPortFree(other.port)).toBe(true);
    expect(await isPortFree(0)).toBe(true);
  });
});

describe('npm start', () => {
  test.each([
    ['--port', '<port>'],
    ['--port=<port>', ''],
  ])('on a busy port says so, and sends nothing there: %s %s', async (...flags) => {
    using other = await stranger('127.0.0.1');
    const args = flags.filter(Boolean).map((flag) => flag.replace('<port>', String(other.port)));
    const child = spawn(process.execPath, ['scripts/start/main.mjs', ...args]);
    let output = '';
    child.stderr.on('data', (text) => (output += text));
    child.stdout.on('data', (text) => (output += text));
    const timer = setTimeout(() => child.kill(), 30_000);
    const code = await new Promise((done) => child.once('close', done));
    clearTimeout(timer);
    expect(code).toBe(1);
    expect(output).toContain(`Port ${other.port} is in use`);
    expect(other.received).toEqual([]);
  });
});
