import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCommandLine } from '../../scripts/serve/command_line.mjs';
import { mediaTypeOf } from '../../scripts/serve/media_types.mjs';
import { SECRETS, startFaults } from '../../scripts/serve/settings.mjs';

const secrets = Object.fromEntries(Object.keys(SECRETS).map((name) => [name, `${name}-0123456789abcdef`]));

describe('startFaults', () => {
  test('none with all secrets, also with several signing secrets', () => {
    expect(startFaults(secrets)).toEqual([]);
    const rotated = `${secrets.KEY_SIGNING_SECRET},${'z'.repeat(22)}`;
    expect(startFaults({ ...secrets, KEY_SIGNING_SECRET: rotated, MEMORY_BUDGET_MB: '512' })).toEqual([]);
  });

  test.each(Object.keys(SECRETS))('%s must be there, and long', (name) => {
    expect(startFaults({ ...secrets, [name]: undefined })).toEqual([expect.stringContaining('is not set')]);
    expect(startFaults({ ...secrets, [name]: '' })).toEqual([expect.stringContaining('is not set')]);
    const [fault] = startFaults({ ...secrets, [name]: 'hunter2-hunter2-hunte' });
    expect(fault).toContain(`${name}: expected`);
    expect(fault).not.toContain('hunter2');
    expect(startFaults({ ...secrets, [name]: '   ' })).toEqual([expect.stringContaining('is not set')]);
  });

  test.each([
    ['MEMORY_BUDGET_MB', '12GB'],
    ['PUBLIC_ORIGIN', 'sanitizer.example'],
    ['TRUSTED_PROXY_HEADER', 'None'],
    ['TRUSTED_PROXY_HEADER', 'X Real IP'],
  ])('%s=%s is a fault, told with what was expected and what came', (name, value) => {
    const [fault, ...others] = startFaults({ ...secrets, [name]: value });
    expect(others).toEqual([]);
    expect(fault).toContain(`${name}: expected `);
    expect(fault).toContain(`but it is "${value}"`);
  });
});

test('every file of the pages has a media type; one that is not known is no octet-stream', () => {
  const files = readdirSync('dist/assets', { recursive: true, withFileTypes: true });
  for (const { name } of files.filter((entry) => entry.isFile())) expect(mediaTypeOf(name)).toMatch(/^\w+\//);
  expect(mediaTypeOf('manifest.webmanifest')).toBe('application/manifest+json');
  expect(mediaTypeOf('icon-192.png')).toBe('image/png');
  expect(() => mediaTypeOf('page.xyz')).toThrow('page.xyz');
});

describe('the command line', () => {
  test('is read', () => {
    expect(readCommandLine(['--port', '80', '--data', 'x', '--host=::1'])).toEqual({
      port: 80,
      host: '::1',
      data: 'x',
      processes: 'auto',
      built: false,
    });
    const bySocket = readCommandLine(['--socket', 'run/http.sock', '--data', 'x']);
    expect(bySocket).toMatchObject({ socket: 'run/http.sock', host: '127.0.0.1', data: 'x', built: false });
    const counts = readCommandLine(['--port', '80', '--data', 'x', '--processes', '3', '--connections', '9']);
    expect(counts).toMatchObject({ processes: 3, connections: 9 });
  });

  test.each([
    [['--data', 'x'], '--port'],
    [['--port', '65536', '--data', 'x'], '--port'],
    [['--port', '1e3', '--data', 'x'], '--port'],
    [['--port', '80'], '--data'],
    [['--port', '80', '--socket', 's', '--data', 'x'], '--socket'],
    [['--socket', 's'.repeat(104), '--data', 'x'], '--socket'],
    [['--port', '80', '--data', 'x', '--built', '--detectors', 'y'], 'build:server -- --detectors'],
    [['--port', '80', '--data', 'x', '--prot', '1'], '--prot'],
    [['--port', '80', '--data', 'x', '--processes', '0'], '--processes'],
    [['--port', '80', '--data', 'x', '--processes', 'all'], '--processes'],
    [['--port', '80', '--data', 'x', '--connections', '1e3'], '--connections'],
  ])('%j is refused', (args, name) => {
    expect(() => readCommandLine(args)).toThrow(name);
  });
});

test.each([
  ['without secrets', {}, Object.keys(secrets).map((name) => `${name} is not set`)],
  [
    'with a setting that can not be meant',
    { ...secrets, TRUSTED_PROXY_HEADER: 'None' },
    ['TRUSTED_PROXY_HEADER: expected'],
  ],
])('the server refuses to start %s, and makes no folder', (_, settings, reasons) => {
  const data = join(tmpdir(), `no-server-${process.pid}`);
  const { status, stderr } = spawnSync(
    process.execPath,
    ['scripts/serve.mjs', '--port', '0', '--data', data],
    { encoding: 'utf8', env: { PATH: process.env.PATH, ...settings } },
  );
  expect(status).toBe(1);
  for (const reason of reasons) expect(stderr).toContain(reason);
  expect(existsSync(data)).toBe(false);
});

test('an older Node.js said that the counters can not be read: it is told which one is expected', () => {
  const older = "Object.defineProperty(process.versions, 'node', { value: '20.20.2' });";
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(older)}`, 'scripts/serve.mjs', '--port', '0'],
    { encoding: 'utf8' },
  );
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining('Expected Node.js 24 or newer, but this is 20.20.2'),
  ]);
});
