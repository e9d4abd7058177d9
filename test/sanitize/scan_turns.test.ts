import { expect, it } from 'vitest';
import { inspectOpsSchema } from '../../src/ops/schema.ts';
import { inspect } from '../../src/sanitize/inspect.ts';
import { SCAN_TIME, scanned } from '../../src/sanitize/scan_turns.ts';
import { uninterrupted } from '../../src/scheduling/time_slice.ts';
import { filled } from '../fixtures/metadata/hostile_files.ts';

/** What a scan spends, in bytes, that yields two counts. @param file its bytes */
async function spentOn(file: number, first: number, second: number): Promise<number[]> {
  function* parts() {
    yield first;
    yield second;
    return 'facts';
  }
  const spent: number[] = [];
  const spend = async (nanoseconds: number) => void spent.push(Math.round(nanoseconds / SCAN_TIME));
  expect(await scanned(parts(), file, { spend, announce() {}, perPixel: () => uninterrupted })).toBe('facts');
  return spent;
}

it('counts every byte of a long file before the scan and again after it, and what it yields between', async () => {
  expect(await spentOn(1e7, 6e6, 3e6)).toEqual([1e7, 6e6, 3e6, 1e7]);
});

// Regression: bytes of a short file were counted three times, which cost a photograph a turn.
it('counts the bytes of a short file once, and what goes beyond them', async () => {
  expect(await spentOn(1000, 600, 300)).toEqual([1000, 0, 0]);
  expect(await spentOn(1000, 600, 900)).toEqual([1000, 0, 500]);
  expect(await spentOn(1000, 1200, 900)).toEqual([1000, 200, 900]);
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
