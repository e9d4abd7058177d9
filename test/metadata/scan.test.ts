import { describe, expect, it } from 'vitest';
import { blockNames, scan } from '../../src/metadata/scan.ts';
import { fixtures } from '../fixtures/metadata/all.ts';
import type { Fixture } from '../fixtures/metadata/fixture.ts';
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
