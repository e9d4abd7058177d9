import { BASE_READS, Cursor, READS_PER_BYTE } from '../../src/metadata/cursor.ts';
import { scan } from '../../src/metadata/scan.ts';
import { allFixtures } from '../fixtures/metadata/all.ts';
import { faultsOf } from './block_faults.ts';
import { cutFiles, fuzzFiles } from './mutated_files.ts';

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
export const fuzzScan = (count: number): void => fuzzFiles(allFixtures, count, 7919, wrong);

/** Every fixture, cut at every offset, is scanned without a fault. */
export const cutAnywhere = (): void => cutFiles(allFixtures, wrong);
