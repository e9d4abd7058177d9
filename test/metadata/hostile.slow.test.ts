import { describe, expect, it } from 'vitest';
import { Cursor } from '../../src/metadata/cursor.ts';
import { scan } from '../../src/metadata/scan.ts';
import { HOSTILE_LENGTH, hostileFiles } from '../fixtures/metadata/hostile_files.ts';
import { hostileSuite } from './hostile_suite.ts';

describe(`hostile files of ${HOSTILE_LENGTH} bytes`, () => hostileSuite(HOSTILE_LENGTH));

describe('hostile files', () => {
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
