import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';

const LONG = { timeout: 60_000, interval: 100 };

/** Process ids of the runtimes that a process has started (Linux: /proc/PID/task/TID/children). */
function runtimesOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return children.map(Number).filter((child) => nameOf(child) === 'workerd');
}

/** What runs as that process; nothing where it has ended. */
function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it.runIf(process.platform === 'linux')('a run of tests that is killed leaves no runtime behind', async () => {
  // Another project's run: it shall not take itself for a part of this one.
  const { VITEST: _, VITEST_WORKER_ID: __, VITEST_POOL_ID: ___, ...env } = process.env;
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    'workers',
    'test/core/kernels/kernels.test.ts',
  ];
  const run = spawn(process.execPath, args, { stdio: 'ignore', env });
  const ended = new Promise((done) => run.once('exit', done));
  const runtimes = await vi.waitUntil(() => {
    const found = runtimesOf(run.pid!);
    return found.length > 0 && found;
  }, LONG);
  run.kill('SIGKILL');
  await ended;
  for (const runtime of runtimes) await expect.poll(() => isAlive(runtime), LONG).toBe(false);
});
