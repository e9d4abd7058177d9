import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { buildOwnServer } from '../fixtures/own_server.ts';

beforeAll(buildOwnServer);

// The compressed form of `npm run load`: each fault once. It ends with an error where a call was lost,
// counted twice, or answered by an error of the service.
test('mixed traffic under faults: no answered call is lost, none is counted twice', {
  timeout: 600_000,
}, async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['scripts/load/main.mjs', '--built', '--minutes', '0.01'],
    {
      maxBuffer: 1 << 20,
    },
  );
  const figures = JSON.parse(stdout.slice(stdout.indexOf('{'))) as Record<string, unknown>;
  expect(figures).toMatchObject({ lost: 0, doubleCounted: 0, failed: 0, heldAtRest: 0, waitingAtRest: 0 });
  expect(figures.served).toBeGreaterThan(500);
  expect(figures.refused).toBeGreaterThan(0);
  const { rounds, skipped } = figures as { rounds: Record<string, number>; skipped: string[] };
  expect(Object.values(rounds)).toEqual(Array(6 - skipped.length).fill(1));
});
