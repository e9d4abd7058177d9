import { expect, it } from 'vitest';
import { BASE_READS, Cursor, READS_PER_BYTE } from '../../src/metadata/cursor.ts';
import { scan } from '../../src/metadata/scan.ts';
import { allFixtures } from '../fixtures/metadata/all.ts';
import { seededBelow } from '../fixtures/random.ts';
import { faultsOf } from './block_faults.ts';

/**
 * Scans, and tells what is wrong: an exception, a block outside, more reads than the file's length allows.
 */
function wrong(bytes: Uint8Array): string | null {
  const cursor = new Cursor(bytes);
  try {
    const facts = scan(bytes, cursor);
    if (facts !== null) {
      const faults = faultsOf(facts, bytes.length);
      if (faults.length > 0) return faults.join('; ');
    }
  } catch (error) {
    return `threw ${String(error)}`;
  }
  // the meter ends a scan that asks for more than its allowance; files as small as these must not come near
  // it
  if (cursor.meter.spent) return 'its allowance of reads is used up';
  const most = BASE_READS + READS_PER_BYTE * bytes.length;
  return cursor.meter.reads > most ? `${cursor.meter.reads} reads for ${bytes.length} bytes` : null;
}

/** Every fixture, mutated so many times, is scanned without a fault. */
export function fuzzScan(count: number): void {
  it.each(allFixtures)(`$name: ${count} mutations`, ({ name, bytes }) => {
    const random = seededBelow(name.length * 7919 + bytes.length);
    const mutant = bytes.slice();
    for (let n = 0; n < count; n++) {
      const changed: number[] = [];
      for (let edits = 1 + random(4); edits > 0; edits--) {
        const at = random(bytes.length);
        changed.push(at);
        // ends of the range are what counts and lengths break on
        mutant[at] = [random(256), 0, 0xff, mutant[at]! ^ (1 << random(8))][random(4)]!;
      }
      const fault = wrong(mutant);
      if (fault !== null) expect.fail(`mutation ${n} at ${changed}: ${fault}`);
      for (const at of changed) mutant[at] = bytes[at]!;
    }
  });
}

/** Every fixture, cut at every offset, is scanned without a fault. */
export function cutAnywhere(): void {
  it.each(allFixtures)('$name: cut at every offset', ({ bytes }) => {
    for (let length = 0; length < bytes.length; length++) {
      const fault = wrong(bytes.subarray(0, length));
      if (fault !== null) expect.fail(`cut to ${length}: ${fault}`);
    }
  });
}
