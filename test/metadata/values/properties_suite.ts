import { BASE_READS, Cursor, READS_PER_BYTE } from '../../../src/metadata/cursor.ts';
import { allFixtures } from '../../fixtures/metadata/all.ts';
import { valueFiles } from '../../fixtures/metadata/value_files.ts';
import { cutFiles, fuzzFiles } from '../mutated_files.ts';
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

type Files = Parameters<typeof cutFiles>[0];

/** Every file, mutated so many times, is read without a fault. */
export const fuzzValues = (files: Files, count: number): void => fuzzFiles(files, count, 104_729, wrong);

/** Every file, cut at every offset, is read without a fault. */
export const cutAnywhere = (files: Files): void => cutFiles(files, wrong);
