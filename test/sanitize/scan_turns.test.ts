import { expect, it } from 'vitest';
import { inspectOpsSchema } from '../../src/ops/schema.ts';
import { inspect } from '../../src/sanitize/inspect.ts';
import { SCAN_TIME, scanned } from '../../src/sanitize/scan_turns.ts';
import { uninterrupted } from '../../src/scheduling/time_slice.ts';
import { filled } from '../fixtures/metadata/hostile_files.ts';

it('counts every byte before the scan and again after it, what it yields between, and gives what it comes to', async () => {
  function* parts() {
    yield 600;
    yield 300;
    return 'facts';
  }
  const spent: number[] = [];
  const spend = async (nanoseconds: number) => void spent.push(nanoseconds);
  expect(await scanned(parts(), 1000, { spend, announce() {}, perPixel: () => uninterrupted })).toBe('facts');
  expect(spent).toEqual([1000, 600, 300, 1000].map((bytes) => bytes * SCAN_TIME));
});

it('inspect gives way while it scans, and ends at its next turn when it is aborted', async () => {
  const file = filled('GIF89a0000000', [0x21, 0xfe, 0], 3_000_000);
  const budget = { capacity: 1e9, reserve: () => Promise.reject(new Error('nothing is reserved')) };
  const ops = inspectOpsSchema.parse({});
  let turns = 0;
  const giveTurn = async () => void turns++;
  const { format } = await inspect(file, ops, { budget, giveTurn });
  expect(format).toBe('gif');
  // A million extensions; before, after and at four pauses at least.
  expect(turns).toBeGreaterThan(5);
  const client = new AbortController();
  const leave = async () => client.abort(new Error('the client has gone'));
  const left = inspect(file, ops, { budget, giveTurn: leave }, client.signal);
  await expect(left).rejects.toThrow('the client has gone');
});
