import { spawn } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sanitize } from '../../../src/library/index.ts';
import { drawPeople } from '../../fixtures/drawn_face.ts';
import { type InstalledPackage, installPackage, runToEnd } from '../../fixtures/installed_package.ts';
import { sampleFile } from '../../fixtures/samples.ts';

/** Ends any thread that asks for the network, with a word of it. */
const noNetwork = `
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { writeSync } from 'node:fs';
const require = createRequire(import.meta.url);
const refuse = (name) => () => { writeSync(2, 'NETWORK ' + name + '\\n'); process.exit(99); };
require('node:net').Socket.prototype.connect = refuse('connect');
require('node:net').Server.prototype.listen = refuse('listen');
require('node:dgram').createSocket = refuse('dgram');
for (const name of ['lookup', 'resolve']) require('node:dns')[name] = refuse('dns.' + name);
for (const name of ['http', 'https']) require('node:' + name).request = refuse(name);
globalThis.fetch = refuse('fetch');
globalThis.WebSocket = class { constructor() { refuse('WebSocket')(); } };
syncBuiltinESMExports();
`;

let installed: InstalledPackage;
let preload: string;
beforeAll(async () => {
  installed = await installPackage();
  preload = join(installed.folder, 'no_network.mjs');
  await writeFile(preload, noNetwork);
});
afterAll(() => installed?.[Symbol.asyncDispose]());

let folder: string;
let photo: Uint8Array<ArrayBuffer>;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(installed.folder, 'mcp-')));
  photo = await sampleFile('jpeg', drawPeople(300, 200));
  await writeFile(join(folder, 'a.jpg'), photo);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe.each(['auto', 'legacy'] as const)("the SDK's own client over stdio, protocol %s", (mode) => {
  it('lists the tools, reads and writes files, and asks for no network', async () => {
    const program = join(installed.at, 'dist/package/cli.js');
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: ['--import', preload, program, 'mcp', folder],
      stderr: 'pipe',
    });
    let complaints = '';
    transport.stderr?.on('data', (chunk) => {
      complaints += String(chunk);
    });
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(transport);
    try {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(['sanitize_image', 'detect_faces', 'inspect_image']);
      const args = { path: 'a.jpg', output_path: 'clean.jpg' };
      const { isError } = await client.callTool({ name: 'sanitize_image', arguments: args });
      expect(isError ?? false).toBe(false);
      const { bytes } = await sanitize(photo);
      expect(await readFile(join(folder, 'clean.jpg'))).toEqual(Buffer.from(bytes));
      const again = await client.callTool({ name: 'sanitize_image', arguments: args });
      expect(again).toMatchObject({ isError: true });
      const image = Buffer.from(photo).toString('base64');
      const seen = await client.callTool({ name: 'inspect_image', arguments: { image } });
      expect(seen.structuredContent).toMatchObject({ width: 300 });
      const outside = await client.callTool({ name: 'inspect_image', arguments: { path: '/etc/passwd' } });
      expect(outside).toMatchObject({ isError: true });
      await expect(client.callTool({ name: 'nope', arguments: {} })).rejects.toThrow('There is no tool');
      // Of so many the reader of the protocol made 3 to 6 seconds of work.
      const many = Object.fromEntries(Array.from({ length: 200_000 }, (_, n) => [`a${n}`, 1]));
      await expect(client.callTool({ name: 'inspect_image', arguments: many })).rejects.toThrow(
        'The message holds more than 20000 values',
      );
      const { tools: still } = await client.listTools();
      expect(still).toHaveLength(3);
    } finally {
      await client.close();
    }
    expect(complaints).toBe('');
  });
});

/** Sends lines to the program and waits for so many answers. */
async function answersTo(lines: readonly string[], count: number): Promise<Record<string, unknown>[]> {
  const program = join(installed.at, 'dist/package/cli.js');
  const server = spawn(process.execPath, [program, 'mcp', folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    server.stdin.write(lines.map((line) => `${line}\n`).join(''));
    const answers: Record<string, unknown>[] = [];
    for await (const line of createInterface(server.stdout)) {
      answers.push(JSON.parse(line));
      if (answers.length === count) break;
    }
    return answers;
  } finally {
    server.kill();
  }
}

const message = (id: unknown, method: string, params: object) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const hello = message('hello', 'initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});

it('answers what is no message, and takes no member that is named twice', async () => {
  const twice = (names: string) => message(1, 'tools/call', { name: 'sanitize_image' }).replace('}}', names);
  const path = twice(',"arguments":{"path":"a.jpg","path":"b.jpg"}}}');
  const ops = twice(',"arguments":{"path":"a.jpg","ops":{"grayscale":true,"grayscale":false}}}}');
  const [, ...answers] = await answersTo([hello, '{nope}', `[${hello}]`, path, ops], 5);
  expect(answers).toMatchObject([
    { id: null, error: { code: -32700 } },
    { id: null, error: { code: -32600 } },
    { id: 1, error: { code: -32600 } },
    { id: 1, result: { isError: true } },
  ]);
  expect(JSON.stringify(answers[3])).toContain('duplicate_name');
});

it('answers every one of many calls that come at once, of which few work at a time', async () => {
  const calls = Array.from({ length: 60 }, (_, id) =>
    message(id, 'tools/call', { name: 'inspect_image', arguments: { path: 'a.jpg' } }),
  );
  const answers = await answersTo([hello, ...calls], 61);
  const ids = answers.slice(1).map(({ id }) => Number(id));
  expect(ids.sort((a, b) => a - b)).toEqual(calls.map((_, id) => id));
  expect(answers.filter(({ error }) => error)).toEqual([]);
});

it('the preload ends a program that asks for the network', async () => {
  const { code, stderr } = await runToEnd(
    process.execPath,
    ['--import', preload, '-e', "fetch('http://127.0.0.1')"],
    folder,
  );
  expect({ code, stderr }).toEqual({ code: 99, stderr: 'NETWORK fetch\n' });
});

it('refuses what is no folder', async () => {
  const { code, stderr } = await runToEnd(installed.cli, ['mcp', join(folder, 'a.jpg')], folder);
  expect(code).toBe(2);
  expect(stderr).toContain('is no folder');
});
