import { expect, it } from 'vitest';
import { BASE_READS, Cursor, READS_PER_BYTE } from '../../src/metadata/cursor.ts';
import { MAX_BLOCKS } from '../../src/metadata/draft.ts';
import { MAX_UNPACKED } from '../../src/metadata/png/text.ts';
import { scanInParts } from '../../src/metadata/scan.ts';
import { hostileFiles } from '../fixtures/metadata/hostile_files.ts';
import { faultsOf } from './block_faults.ts';
import { inOneTurnEach } from './in_one_turn_each.ts';

/** Names of blocks there are; past the cap one of each may still be added. */
const NAMES = 22;

/** Every kind of hostile file, so many bytes long, is scanned within the work that its length allows. */
export function hostileSuite(length: number): void {
  it.each(hostileFiles)('%s', (_, make) => {
    const bytes = make(length);
    expect(bytes.length).toBe(length);
    const cursor = new Cursor(bytes);
    const facts = inOneTurnEach(scanInParts(bytes, cursor), cursor);
    expect(facts).not.toBeNull();
    expect(facts!.blocks.length).toBeLessThanOrEqual(MAX_BLOCKS + NAMES);
    expect(faultsOf(facts!, bytes.length)).toEqual([]);
    // a read that is refused is counted too, hence the little more
    expect(cursor.meter.reads).toBeLessThan(
      (bytes.length + MAX_UNPACKED) * READS_PER_BYTE + BASE_READS + (1 << 20),
    );
  });
}
