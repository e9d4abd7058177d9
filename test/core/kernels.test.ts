import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coreHolding, createCore } from '../../src/core/instance.ts';
import { channelSumsOver, clearTransparentInCore, greyInCore } from '../../src/core/kernels.ts';
import { clearTransparentPixels } from '../../src/pixels/clear_transparent.ts';
import { greyPixels } from '../../src/pixels/grayscale.ts';
import { noisePicture } from '../fixtures/raster.ts';

const GUARD = 0x5a;

/** Pixels of any alpha at an address that is a multiple of 4 only, with guards before and after. */
function inCore(count: number, offset: number, seed: number) {
  const core = createCore();
  const bytes = count * 4;
  const at = core.alloc(bytes + 128) + 32 + offset * 4;
  const around = core.view(at - 32, bytes + 64).fill(GUARD);
  const pixels = core.view(at, bytes);
  pixels.set(noisePicture(Math.max(1, count), 1, seed, 'any').pixels.subarray(0, bytes));
  const guarded = () => [...around.subarray(0, 32), ...around.subarray(32 + bytes)].every((b) => b === GUARD);
  return { core, pixels, guarded };
}

const sizes = fc.tuple(fc.integer({ min: 0, max: 70 }), fc.integer({ min: 0, max: 3 }), fc.nat(1000));

describe('kernels on pixels in place', () => {
  for (const [name, kernel, reference] of [
    ['grey', greyInCore, greyPixels],
    ['clear hidden', clearTransparentInCore, clearTransparentPixels],
  ] as const) {
    it(`${name} as the typed arrays do, for any number of pixels, and touch nothing beside`, () => {
      fc.assert(
        fc.property(sizes, ([count, offset, seed]) => {
          const { pixels, guarded } = inCore(count, offset, seed);
          const expected = pixels.slice();
          reference(expected);
          expect(kernel(pixels)).toBe(true);
          expect(pixels).toEqual(expected);
          expect(guarded()).toBe(true);
        }),
        { seed: 1 },
      );
    });
  }

  it('leave pixels outside a core alone', () => {
    const pixels = Uint8Array.of(10, 20, 30, 0);
    expect(greyInCore(pixels)).toBe(false);
    expect(clearTransparentInCore(pixels)).toBe(false);
    expect(channelSumsOver(pixels)).toBeUndefined();
    expect([...pixels]).toEqual([10, 20, 30, 0]);
  });

  it('grey every colour to the same value as the formula', () => {
    const core = createCore();
    const pixels = core.view(core.alloc(256 * 256 * 4), 256 * 256 * 4);
    for (const red of [0, 1, 127, 128, 254, 255]) {
      for (let i = 0; i < 65_536; i++) pixels.set([red, i >> 8, i & 255, 200], i * 4);
      const expected = pixels.slice();
      greyPixels(expected);
      greyInCore(pixels);
      expect(pixels.every((sample, i) => sample === expected[i])).toBe(true);
    }
  });

  it('premultiply as exact arithmetic does, for every colour and alpha', () => {
    const core = createCore();
    const at = core.alloc(65_536 * 4);
    const pixels = core.view(at, 65_536 * 4);
    for (let i = 0; i < 65_536; i++) pixels.set([i & 255, 255 - (i & 255), (i * 7) & 255, i >> 8], i * 4);
    const before = pixels.slice();
    core.exports.premultiplyPixels(at, 65_536);
    for (let i = 0; i < before.length; i++) {
      const alpha = before[i | 3]!;
      const expected = (i & 3) === 3 ? alpha : Math.round((before[i]! * alpha) / 255);
      if (pixels[i] !== expected) expect([i, pixels[i]]).toEqual([i, expected]);
    }
  });
});

describe('sums of channels', () => {
  const naive = (row: Uint8Array, start: number, end: number, weighted: boolean) => {
    const sums = [0, 0, 0, 0];
    for (let i = start * 4; i < end * 4; i++) {
      const weight = weighted && (i & 3) !== 3 ? row[i | 3]! : 1;
      sums[i & 3] = sums[i & 3]! + row[i]! * weight;
    }
    return sums;
  };

  it('are those of the typed arrays, over any part of a row', () => {
    fc.assert(
      fc.property(sizes, fc.nat(70), fc.boolean(), ([count, offset, seed], first, weighted) => {
        const { pixels } = inCore(count, offset, seed);
        const start = Math.min(first, count);
        const sums = channelSumsOver(pixels)!;
        expect([...sums(start, count, weighted)]).toEqual(naive(pixels, start, count, weighted));
      }),
      { seed: 2 },
    );
  });

  it('do not overflow over the longest row of white', () => {
    const { pixels } = inCore(65_535, 0, 3);
    pixels.fill(255);
    const sums = channelSumsOver(pixels)!;
    for (const weighted of [false, true]) {
      expect([...sums(0, 65_535, weighted)]).toEqual(naive(pixels, 0, 65_535, weighted));
    }
  });
});

describe('the core that holds pixels', () => {
  it('is found after its memory grew, by views taken since', () => {
    const core = createCore();
    const before = core.view(core.alloc(16), 16);
    expect(coreHolding(before.subarray(4))).toBe(core);
    core.alloc(1 << 20);
    expect(coreHolding(core.view(0, 16))).toBe(core);
    expect(coreHolding(new Uint8Array(4))).toBeUndefined();
  });
});
