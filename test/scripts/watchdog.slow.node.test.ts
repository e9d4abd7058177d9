import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { counterConfig, workerdConfig } from '../../scripts/serve/config.mjs';
import { isAlive } from '../fixtures/killed_runner.ts';
import { startOwnServer } from '../fixtures/own_server.ts';

/** A Worker that answers, until it is told to go round for ever. */
const WORKER = `export default {
  fetch(request) {
    while (request.url.endsWith('/hang'));
    return new Response('well');
  },
};
`;

/** A counting process that counts nothing. */
const COUNTER = `import { DurableObject, WorkerEntrypoint } from 'cloudflare:workers';
export class CallMeter extends DurableObject {}
export class Counters extends WorkerEntrypoint {}
export default { fetch: () => new Response(null) };
`;

/** `npm run serve` beside that Worker in place of the service, with a watchdog of less patience. */
let project: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'watchdog-'));
  for (const path of ['scripts/serve', 'scripts/serve.mjs', 'src/api/middleware/setting_rules.js'])
    cpSync(path, join(project, path), { recursive: true });
  symlinkSync(resolve('node_modules'), join(project, 'node_modules'));
  symlinkSync(resolve('package.json'), join(project, 'package.json'));
  const watchdog = join(project, 'scripts/serve/watchdog.mjs');
  const patient = readFileSync(watchdog, 'utf8');
  const hasty = patient
    .replace(/(MOST_SILENT_SECONDS) = \d+/, '$1 = 2')
    .replace(/(MOST_SILENT_CHECKS) = \d+/, '$1 = 20')
    .replace(/(ASKED_EVERY_MS) = \d+/, '$1 = 100')
    .replace(/(ANSWER_MS) = \d+/, '$1 = 200');
  writeFileSync(watchdog, hasty);
  const server = join(project, 'dist/server');
  mkdirSync(join(server, 'worker'), { recursive: true });
  mkdirSync(join(server, 'pages'));
  writeFileSync(join(server, 'worker/index.js'), WORKER);
  cpSync('scripts/serve/pages.js', join(server, 'pages.js'));
  const config = workerdConfig({
    main: 'index.js',
    files: ['index.js'],
    compatibilityDate: '2026-10-20',
    compatibilityFlags: [],
    pages: {},
  });
  const counter = counterConfig({ compatibilityDate: '2026-10-20', compatibilityFlags: [] });
  writeFileSync(join(server, 'counter.js'), COUNTER);
  const { default: workerd } = createRequire(import.meta.url)('workerd') as { default: string };
  for (const [name, text] of Object.entries({ config, counter })) {
    writeFileSync(join(server, `${name}.capnp`), text);
    const args = ['compile', '--config-only', join(server, `${name}.capnp`)];
    writeFileSync(join(server, `${name}.bin`), execFileSync(workerd, args));
  }
  buildSync({
    entryPoints: ['src/api/own_server/front.ts'],
    outfile: join(server, 'front.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
  });
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

const startHasty = () => startOwnServer(join(project, 'data'), {}, join(project, 'scripts/serve.mjs'));

const answersWithin = (address: string, milliseconds: number) =>
  fetch(`${address}/v1/health`, { signal: AbortSignal.timeout(milliseconds) }).then(
    (answer) => answer.ok,
    () => false,
  );

test('a process in an endless loop is ended, and another one takes its place', async () => {
  await using server = await startHasty();
  expect(await answersWithin(server.address, 5000)).toBe(true);
  expect((await fetch(`${server.address}/hang`)).status).toBe(503);
  await expect.poll(() => isAlive(server.runtimePid), { timeout: 10_000 }).toBe(false);
  expect(await answersWithin(server.address, 10_000)).toBe(true);
  expect(server.lines.join('\n')).toContain(`Process ${server.runtimePid} no longer answers`);
});

test.skipIf(process.platform !== 'linux')(
  'a runtime that is stopped by a signal is left alone, and goes on when it is told to',
  async () => {
    await using server = await startHasty();
    expect(await answersWithin(server.address, 5000)).toBe(true);
    process.kill(server.runtimePid, 'SIGSTOP');
    // Twice as long as one may be silent that nobody has stopped.
    await new Promise((done) => setTimeout(done, 12_000));
    expect(isAlive(server.runtimePid)).toBe(true);
    expect(await answersWithin(server.address, 500)).toBe(false);
    process.kill(server.runtimePid, 'SIGCONT');
    expect(await answersWithin(server.address, 10_000)).toBe(true);
  },
);
