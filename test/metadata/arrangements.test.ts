import { describe, expect, it } from 'vitest';
import { scan } from '../../src/metadata/scan.ts';
import { arrangements } from '../fixtures/metadata/block_arrangements.ts';
import { faultsOf } from './block_faults.ts';
import { valuesOf } from './values/read.ts';

const [LATITUDE, LONGITUDE] = [48 + 51.5 / 60, 2 + 17 / 60 + 40 / 3600];

describe('a block that is split, repeated, moved or reordered', () => {
  it.each(arrangements(10))('is read: $name', ({ bytes }) => {
    expect(faultsOf(scan(bytes)!, bytes.length)).toEqual([]);
    const [position] = valuesOf(bytes)!.place!.positions;
    expect(position).toMatchObject({
      latitude: expect.closeTo(LATITUDE, 6),
      longitude: expect.closeTo(LONGITUDE, 6),
    });
  });
});
