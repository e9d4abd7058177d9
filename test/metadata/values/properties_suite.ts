import { expect, it } from 'vitest';
import { BASE_READS, Cursor, READS_PER_BYTE } from '../../../src/metadata/cursor.ts';
import { allFixtures } from '../../fixtures/metadata/all.ts';
import { valueFiles } from '../../fixtures/metadata/value_files.ts';
import { seededBelow } from '../../fixtures/random.ts';
import { valuesOf } from './read.ts';
import { valueFaults } from './value_faults.ts';

/** Files whose values are read: those of the scanner's tests that have some, and those made for it. */
export const readable = [
  ...valueFiles,
  ...allFixtures.filter(({ blocks }) => blocks.some((name) => name !== 'icc' && name !== 'trailer')),
];

/** Reads, and tells what is wrong: an exception, a value beyond its bounds, more reads than are allowed. */
function wrong(bytes: Uint8Array): string | null {
  const cursor = new Cursor(bytes);
  try {
    const values = valuesOf(bytes, { thumbnails: true }, cursor);
    const faults = values === null ? [] : valueFaults(values);
    if (faults.length > 0) return faults.join('; ');
  } catch (error) {
    return `threw ${String(error)}`;
  }
  // once for the scan, once for the values; a packet in UTF-16 and an inflated text add their own bytes
  const most = 2 * (BASE_READS + READS_PER_BYTE * bytes.length) + READS_PER_BYTE * (1 << 20);
  return cursor.meter.reads > most ? `${cursor.meter.reads} reads for ${bytes.length} bytes` : null;
}

/** Every file, mutated so many times, is read without a fault. */
export function fuzzValues(files: readonly { name: string; bytes: Uint8Array }[], count: number): void {
  it.each(files)(`$name: ${count} mutations`, ({ name, bytes }) => {
    const random = seededBelow(name.length * 104_729 + bytes.length);
    const mutant = bytes.slice();
    for (let n = 0; n < count; n++) {
      const changed: number[] = [];
      for (let edits = 1 + random(4); edits > 0; edits--) {
        const at = random(bytes.length);
        changed.push(at);
        mutant[at] = [random(256), 0, 0xff, mutant[at]! ^ (1 << random(8))][random(4)]!;
      }
      const fault = wrong(mutant);
      if (fault !== null) expect.fail(`mutation ${n} at ${changed}: ${fault}`);
      for (const at of changed) mutant[at] = bytes[at]!;
    }
  });
}

/** Every file, cut at every offset, is read without a fault. */
export function cutAnywhere(files: readonly { name: string; bytes: Uint8Array }[]): void {
  it.each(files)('$name: cut at every offset', ({ bytes }) => {
    for (let length = 0; length < bytes.length; length++) {
      const fault = wrong(bytes.subarray(0, length));
      if (fault !== null) expect.fail(`cut to ${length}: ${fault}`);
    }
  });
}
