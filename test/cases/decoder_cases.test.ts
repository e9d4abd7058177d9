import { describe, expect, it } from 'vitest';
import type { Raster, Strip } from '../../src/codecs/types.ts';
import { mutate } from '../fixtures/mutations.ts';
import { seededBelow } from '../fixtures/random.ts';
import { testCore } from '../fixtures/raster.ts';
import { firstDifference, readWhole } from './decoder_cases.ts';

/** A raster of 2 × 4 pixels that hands out these strips. */
const raster = (...strips: [y: number, rows: number, bytes?: number][]): Raster => ({
  width: 2,
  height: 4,
  opaque: true,
  grey: true,
  core: testCore(),
  *strips(): Iterable<Strip> {
    for (const [y, rows, bytes = rows * 8] of strips)
      yield { y, rows, pixels: new Uint8Array(bytes).fill(y + 1) };
  },
});

describe('what the decoder suite relies on', () => {
  it('reads a sound raster whole', () => {
    const expected = [...Array(8).fill(1), ...Array(24).fill(2)];
    expect([...readWhole(raster([0, 1], [1, 3]))]).toEqual(expected);
  });

  it.each<[string, [number, number, number?][]]>([
    [
      'a gap',
      [
        [0, 1],
        [2, 2],
      ],
    ],
    [
      'an overlap',
      [
        [0, 2],
        [1, 3],
      ],
    ],
    ['too few rows', [[0, 3]]],
    ['too many rows', [[0, 5]]],
    [
      'a strip without rows',
      [
        [0, 0],
        [0, 4],
      ],
    ],
    ['a strip of a wrong size', [[0, 4, 31]]],
    ['nothing', []],
  ])('notices %s', (_name, strips) => {
    expect(() => readWhole(raster(...strips))).toThrow();
  });

  it('overwrites strips once they are copied when told to', () => {
    const pixels = new Uint8Array(32).fill(7);
    const one: Raster = { ...raster(), strips: () => [{ y: 0, rows: 4, pixels }] };
    expect([...readWhole(one, true)]).toEqual(Array(32).fill(7));
    expect([...pixels]).toEqual(Array(32).fill(0xa5));
  });

  it('finds the first difference', () => {
    expect(firstDifference(Uint8Array.of(1, 2), Uint8Array.of(1, 2))).toBe('none');
    expect(firstDifference(Uint8Array.of(1, 2), Uint8Array.of(1, 3))).toBe('byte 1 is 2 instead of 3');
    expect(firstDifference(Uint8Array.of(1), Uint8Array.of(1, 3))).toBe('1 bytes instead of 2');
  });

  it('mutates the same way for the same seed, and leaves the original alone', () => {
    const bytes = Uint8Array.from({ length: 60 }, (_, at) => at);
    const mutants = (seed: number) => {
      const random = seededBelow(seed);
      return Array.from({ length: 300 }, () => mutate(bytes, random));
    };
    expect(mutants(5)).toEqual(mutants(5));
    expect(mutants(5)).not.toEqual(mutants(6));
    expect(bytes).toEqual(Uint8Array.from({ length: 60 }, (_, at) => at));
    const changed = mutants(5).filter((mutant) => firstDifference(mutant, bytes) !== 'none');
    expect(changed.length).toBeGreaterThan(280);
    expect(new Set(mutants(5).map((mutant) => mutant.length)).size).toBeGreaterThan(20);
  });
});
