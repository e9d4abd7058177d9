import { expect, it } from 'vitest';
import { BASE_READS, Cursor } from '../../../src/metadata/cursor.ts';
import { Payloads } from '../../../src/metadata/payloads.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { readValuesInParts } from '../../../src/metadata/values/read_values.ts';
import { hostileFiles } from '../../fixtures/metadata/hostile_files.ts';
import { hostileValueFiles } from '../../fixtures/metadata/hostile_value_files.ts';
import { inOneTurnEach } from '../in_one_turn_each.ts';
import { valueFaults } from './value_faults.ts';

/** Reads that do not depend on a file's length: texts that are cut, and packed ones. */
const CONSTANT = BASE_READS + (3 << 20);

/** Work of a byte of a text that is no UTF-8, each decoded once at most, and of the text around it. */
const DECODED = 26;

/**
 * Every kind of hostile file, so many bytes long, is read within three times the work of its scan; one that
 * is all such texts takes what decoding them does beside.
 */
export function hostileValues(length: number): void {
  it.each([...hostileFiles, ...hostileValueFiles])('%s', (name, make) => {
    const bytes = make(length);
    expect(bytes.length).toBe(length);
    const cursor = new Cursor(bytes);
    const payloads = new Payloads();
    const facts = scan(bytes, cursor, payloads)!;
    const scanned = cursor.meter.reads;
    const parts = readValuesInParts(cursor, facts, payloads, { thumbnails: true });
    const values = inOneTurnEach(parts, cursor);
    expect(valueFaults(values)).toEqual([]);
    const decoding = name.includes('Latin-1') ? DECODED * length : 0;
    expect(cursor.meter.reads - scanned).toBeLessThan(3 * scanned + CONSTANT + decoding);
  });
}
