import { describe, expect, it } from 'vitest';
import { BASE_READS, Cursor, READS_PER_BYTE } from '../../src/metadata/cursor.ts';
import { MAX_BLOCKS } from '../../src/metadata/draft.ts';
import { MAX_UNPACKED } from '../../src/metadata/png_text.ts';
import { scan } from '../../src/metadata/scan.ts';
import { HOSTILE_LENGTH, hostileFiles } from '../fixtures/metadata/hostile_files.ts';
import { faultsOf } from './block_faults.ts';

/** Names of blocks there are; past the cap one of each may still be added. */
const NAMES = 18;

describe(`hostile files of ${HOSTILE_LENGTH} bytes`, () => {
  it.each(hostileFiles)('%s', (_, make) => {
    const bytes = make(HOSTILE_LENGTH);
    expect(bytes.length).toBe(HOSTILE_LENGTH);
    const cursor = new Cursor(bytes);
    const facts = scan(bytes, cursor);
    expect(facts).not.toBeNull();
    expect(facts!.blocks.length).toBeLessThanOrEqual(MAX_BLOCKS + NAMES);
    expect(faultsOf(facts!, bytes.length)).toEqual([]);
    // a read that is refused is counted too, hence the little more
    expect(cursor.meter.reads).toBeLessThan(
      (bytes.length + MAX_UNPACKED) * READS_PER_BYTE + BASE_READS + (1 << 20),
    );
  });

  it('takes twice the reads for twice the length', () => {
    for (const [name, make] of hostileFiles) {
      const reads = [1 << 18, 1 << 19].map((length) => {
        const cursor = new Cursor(make(length));
        scan(cursor.bytes, cursor);
        return cursor.meter.reads;
      });
      expect(reads[1]! / reads[0]!, name).toBeLessThan(2.2);
    }
  });
});
