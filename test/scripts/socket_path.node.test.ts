import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { socketPath } from '../../scripts/serve/socket_path.mjs';

const folder = mkdtempSync(join(tmpdir(), 'socket-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a socket of another server stays, and so does a file', async () => {
  const path = join(folder, 'http.sock');
  expect(await socketPath(path)).toBe(path);
  const other = createServer().listen(path);
  await new Promise((listening) => other.once('listening', listening));
  await expect(socketPath(path)).rejects.toThrow('another server listens');
  expect(existsSync(path)).toBe(true);
  await new Promise((closed) => other.close(closed));
  const file = join(folder, 'file');
  writeFileSync(file, 'kept');
  await expect(socketPath(file)).rejects.toThrow('no socket');
});

test('what a killed server has left is deleted', async () => {
  const path = join(folder, 'left.sock');
  const script = `require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
  expect(() => execFileSync(process.execPath, ['-e', script, path])).toThrow();
  expect(existsSync(path)).toBe(true);
  expect(await socketPath(path)).toBe(path);
  expect(existsSync(path)).toBe(false);
});
