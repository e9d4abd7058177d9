import { describe, expect, it } from 'vitest';
import { blockNames } from '../../src/metadata/block_names.ts';
import { scan, scanInParts } from '../../src/metadata/scan.ts';
import { fixtures } from '../fixtures/metadata/all.ts';
import type { Fixture } from '../fixtures/metadata/fixture.ts';
import { joined, PNG_END, PNG_SIGNATURE, pngChunk } from '../fixtures/png_writer.ts';
import { faultsOf } from './block_faults.ts';

/** What goes without saying of a whole file. */
const USUAL = { complete: true, hasGps: false, orientation: 1 };

function check({ bytes, blocks, facts }: Fixture): void {
  const found = scan(bytes);
  expect(found).not.toBeNull();
  expect(blockNames(found!)).toEqual(blocks);
  expect(faultsOf(found!, bytes.length)).toEqual([]);
  const { defect, ...rest } = facts;
  expect(found).toMatchObject({ ...USUAL, ...rest });
  // an empty object matches any; what is not told must not be there
  if (facts.colorimetry) expect(found!.colorimetry).toEqual(facts.colorimetry);
  if (defect instanceof RegExp) expect(found!.defect).toMatch(defect);
  else expect(found!.defect).toBeUndefined();
}

for (const [container, { whole, broken }] of Object.entries(fixtures)) {
  describe(`${container}: whole files`, () => {
    it.each(whole)('$name', check);
  });
  describe(`${container}: broken files`, () => {
    it.each(broken)('$name', check);
  });
}

describe('what is none of the six', () => {
  it.each([
    ['nothing', new Uint8Array(0)],
    ['text', new TextEncoder().encode('hello')],
    ['noise', Uint8Array.from({ length: 64 }, (_, index) => (index * 151) & 0xff)],
  ])('%s', (_, bytes) => {
    expect(scan(bytes)).toBeNull();
  });
});

describe('a long chunk of a PNG', () => {
  const MEGABYTE = 1 << 20;
  const file = () => {
    const header = pngChunk('IHDR', [0, 0, 0, 9, 0, 0, 0, 7, 8, 2, 0, 0, 0]);
    const data = new Uint8Array(10 * MEGABYTE).fill(7);
    return joined([PNG_SIGNATURE, header, pngChunk('IDAT', data), PNG_END]);
  };

  it('is gone through in parts, all of which count', () => {
    const bytes = file();
    const parts = scanInParts(bytes);
    const steps = [parts.next(), parts.next(), parts.next()];
    expect(steps.map(({ value, done }) => done || value)).toEqual([4 * MEGABYTE, 4 * MEGABYTE, true]);
    expect(steps[2]!.value).toEqual(scan(bytes));
    expect(scan(bytes)).toMatchObject({ complete: true, width: 9, height: 7 });
    for (const at of [100, 5 * MEGABYTE, 10 * MEGABYTE]) {
      const changed = bytes.slice();
      changed[at]! ^= 1;
      expect(scan(changed)!.defect).toBe('the checksum of its IDAT chunk is wrong');
    }
  });
});

describe('very many small structures', () => {
  it.each([
    ['chunks of a PNG', PNG_SIGNATURE, pngChunk('prVt')],
    ['segments of a JPEG', Uint8Array.of(0xff, 0xd8, 0xff), Uint8Array.of(0xff, 0xe5, 0, 2)],
    [
      'chunks of a WebP',
      new TextEncoder().encode('RIFF\x7f\x7f\x7f\x7fWEBP'),
      new TextEncoder().encode('zzzz\0\0\0\0'),
    ],
    ['extensions of a GIF', new TextEncoder().encode('GIF89a0000000'), Uint8Array.of(0x21, 0xfe, 0)],
  ])('are gone through in parts: %s', (_name, head, structure) => {
    const count = 100_000;
    const file = new Uint8Array(head.length + count * structure.length);
    file.set(head);
    for (let n = 0; n < count; n++) file.set(structure, head.length + n * structure.length);
    const parts = [...scanInParts(file)];
    expect(parts).toHaveLength(6);
    // As bytes they count for no less than the file has.
    expect(parts.reduce((sum, part) => sum + part)).toBeGreaterThan(file.length);
  });
});
