import { describe, expect, it } from 'vitest';
import type { Block, FileFacts } from '../../src/metadata/facts.ts';
import { stillFacts } from '../cases/decoder_cases.ts';
import { faultsOf } from './block_faults.ts';

const facts = (blocks: Block[], more: Partial<FileFacts> = {}) =>
  stillFacts('jpeg', 1, 1, { blocks, ...more });

describe('faultsOf', () => {
  it('finds nothing in sound facts', () => {
    expect(
      faultsOf(
        facts([
          { name: 'exif', start: 0, end: 9 },
          { name: 'gps', start: 0, end: 5 },
        ]),
        9,
      ),
    ).toEqual([]);
  });

  it.each([
    ['beyond the end', facts([{ name: 'exif', start: 0, end: 10 }])],
    ['empty', facts([{ name: 'exif', start: 3, end: 3 }])],
    ['no offsets', facts([{ name: 'exif', start: Number.NaN, end: 3 }])],
    [
      'out of order',
      facts([
        { name: 'exif', start: 3, end: 4 },
        { name: 'gps', start: 2, end: 4 },
      ]),
    ],
    [
      'shorter before longer',
      facts([
        { name: 'exif', start: 3, end: 4 },
        { name: 'gps', start: 3, end: 5 },
      ]),
    ],
    [
      'profile outside',
      facts([], { colorimetry: { icc: { pieces: [{ start: 0, end: 99 }], encoding: 'raw' } } }),
    ],
    ['no width', facts([], { width: Number.NaN })],
    ['contradiction', facts([], { defect: 'cut' })],
  ])('finds: %s', (_, broken) => {
    expect(faultsOf(broken, 9)).not.toEqual([]);
  });
});
