import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { heapBytes, openingTransform, openTransform, PIECE_PIXELS } from '../../../src/pixels/colour/lcms.ts';
import { createLcms } from '../../../src/pixels/colour/lcms_instance.ts';
import { colourCost } from '../../../src/pixels/to_srgb.ts';
import { pressProfile, scannerProfile } from '../../fixtures/icc_writer.ts';

const LIMIT = 24 * 1024 * 1024;

describe('LittleCMS in its host', () => {
  it('converts, and holds no more than was predicted with the largest tables that a profile has', () => {
    // 23 points along each of four inks are 1.7 MB, about what the largest in use have.
    const profile = pressProfile('Fine press', 23);
    const transform = openTransform(profile, 'cmyk', 2)!;
    const paper = transform.convert(new Uint16Array(PIECE_PIXELS * 4));
    expect([...paper.subarray(0, 3)]).toEqual([255, 255, 255]);
    expect(paper.buffer.byteLength).toBeLessThanOrEqual(heapBytes(profile.length));
    const conversion = { kind: 'table', profile, samples: 'cmyk' } as const;
    const piece = PIECE_PIXELS * 4;
    expect(colourCost(conversion, { width: 4000, height: 3000 }, false)).toBeGreaterThan(
      heapBytes(profile.length) + piece + profile.length,
    );
  });

  it('gives way before each table of a long profile is read, and while they are linked', () => {
    const pieces = (profile: Uint8Array) => {
      const opening = openingTransform(profile, 'cmyk', 1);
      let count = 1;
      while (!opening.next().done) count++;
      return count;
    };
    // 83,521 points of the link in six pieces, between what converts them and what is made of them.
    expect(pieces(pressProfile('Coarse press', 5))).toBe(8);
    expect(pieces(pressProfile('Fine press', 16))).toBe(10);
  });

  it('never grows beyond its limit', () => {
    const lcms = createLcms(LIMIT);
    expect(lcms.malloc(2 * LIMIT)).toBe(0);
    expect(lcms.malloc(1024 * 1024)).toBeGreaterThan(0);
    for (let i = 0; i < 100; i++) lcms.malloc(1024 * 1024);
    expect(lcms.memory.buffer.byteLength).toBeLessThanOrEqual(LIMIT);
  });

  it('refuses what is no profile', () => {
    expect(openTransform(new Uint8Array(0), 'rgb', 1)).toBeUndefined();
    expect(openTransform(new Uint8Array(500), 'rgb', 1)).toBeUndefined();
    expect(openTransform(pressProfile('p', 2), 'rgb', 1)).toBeUndefined();
  });

  it('returns a transform or undefined for any mutated profile', () => {
    const sound = [scannerProfile('s', 3), pressProfile('p', 2)];
    const edits = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 8 });
    let opened = 0;
    fc.assert(
      fc.property(fc.nat(1), edits, (which, changes) => {
        const profile = sound[which]!.slice();
        // Most changes fall on header, tag table and the tables' heads.
        changes.forEach(([at, value], i) => {
          profile[i % 4 === 0 ? at % profile.length : at % 420] = value;
        });
        const transform = openTransform(profile, which === 0 ? 'rgb' : 'cmyk', 1);
        if (!transform) return;
        opened++;
        expect(transform.convert(new Uint8Array(64)).length).toBe(64);
      }),
      { numRuns: 60, seed: 7 },
    );
    expect(opened).toBeGreaterThan(5);
  });
});
