import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCore } from '../../../src/core/instance.ts';
import {
  addToBlockSums,
  BLOCK_SUM_BYTES,
  clearTransparentRows,
  greyRows,
} from '../../../src/core/kernels/kernels.ts';
import { noisePicture } from '../../fixtures/raster.ts';

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

/** Rec. 601 luma in 16 fractional bits, the weights summing to exactly one. */
function greyPixels(pixels: Uint8Array): void {
  for (let i = 0; i + 3 < pixels.length; i += 4) {
    const luma = (19595 * pixels[i]! + 38470 * pixels[i + 1]! + 7471 * pixels[i + 2]! + 0x8000) >>> 16;
    pixels.fill(luma, i, i + 3);
  }
}

function clearTransparentPixels(pixels: Uint8Array): void {
  for (let i = 0; i + 3 < pixels.length; i += 4) if (pixels[i + 3] === 0) pixels.fill(0, i, i + 3);
}

const sizes = fc.tuple(fc.integer({ min: 0, max: 70 }), fc.integer({ min: 0, max: 3 }), fc.nat(1000));

describe('kernels on pixels in place', () => {
  for (const [name, kernel, reference] of [
    ['grey', greyRows, greyPixels],
    ['clear transparent', clearTransparentRows, clearTransparentPixels],
  ] as const) {
    it(`${name} as the typed arrays do, for any number of pixels, and touch nothing beside`, () => {
      fc.assert(
        fc.property(sizes, ([count, offset, seed]) => {
          const { core, pixels, guarded } = inCore(count, offset, seed);
          const expected = pixels.slice();
          reference(expected);
          kernel(core, pixels);
          expect(pixels).toEqual(expected);
          expect(guarded()).toBe(true);
        }),
        { seed: 1 },
      );
    });
  }

  it('refuse rows of another memory, untouched', () => {
    using core = createCore();
    const pixels = Uint8Array.of(10, 20, 30, 0);
    const sums = core.alloc(BLOCK_SUM_BYTES);
    expect(() => greyRows(core, pixels)).toThrow('do not lie in the core');
    expect(() => clearTransparentRows(core, pixels)).toThrow('do not lie in the core');
    expect(() => addToBlockSums(core, pixels, 2, sums, false)).toThrow('do not lie in the core');
    expect([...pixels]).toEqual([10, 20, 30, 0]);
  });

  it('grey every colour to the same value as the formula', () => {
    const core = createCore();
    const pixels = core.view(core.alloc(256 * 256 * 4), 256 * 256 * 4);
    for (const red of [0, 1, 127, 128, 254, 255]) {
      for (let i = 0; i < 65_536; i++) pixels.set([red, i >> 8, i & 255, 200], i * 4);
      const expected = pixels.slice();
      greyPixels(expected);
      greyRows(core, pixels);
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

describe('sums of blocks', () => {
  /** Adds a row to sums block by block, in plain numbers. */
  const naive = (row: Uint8Array, block: number, sums: Float64Array, weighted: boolean) => {
    for (let i = 0; i < row.length; i++) {
      const weight = weighted && (i & 3) !== 3 ? row[i | 3]! : 1;
      const at = Math.floor((i >> 2) / block) * 4 + (i & 3);
      sums[at] = sums[at]! + row[i]! * weight;
    }
  };

  it('are those of plain numbers, for blocks of any size, row after row', () => {
    fc.assert(
      fc.property(
        sizes,
        fc.integer({ min: 2, max: 40 }),
        fc.boolean(),
        ([count, offset, seed], block, weighted) => {
          const { core, pixels, guarded } = inCore(count, offset, seed);
          const blocks = Math.ceil(count / block);
          const at = core.alloc((blocks + 1) * BLOCK_SUM_BYTES);
          const row = core.view(pixels.byteOffset, pixels.length);
          const sums = new Float64Array(core.exports.memory.buffer, at, (blocks + 1) * 4).fill(0.5);
          const expected = new Float64Array(sums);
          for (let turn = 0; turn < 3; turn++) {
            addToBlockSums(core, row, block, at, weighted);
            naive(row, block, expected, weighted);
          }
          expect([...sums]).toEqual([...expected]);
          expect(guarded()).toBe(true);
        },
      ),
      { seed: 2 },
    );
  });

  it('do not overflow over the longest row of white', () => {
    const count = 200_000;
    const { core, pixels } = inCore(count, 0, 3);
    const at = core.alloc(BLOCK_SUM_BYTES);
    const row = core.view(pixels.byteOffset, pixels.length).fill(255);
    for (const weighted of [false, true]) {
      const sums = new Float64Array(core.exports.memory.buffer, at, 4).fill(0);
      const expected = new Float64Array(4);
      addToBlockSums(core, row, count, at, weighted);
      naive(row, count, expected, weighted);
      expect([...sums]).toEqual([...expected]);
    }
  });
});
