import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Core, createCore } from '../../../src/core/instance.ts';
import { FlippedBand } from '../../../src/core/kernels/flip.ts';
import { mirrorRows } from '../../../src/core/kernels/kernels.ts';
import { RotatedBand } from '../../../src/core/kernels/rotate.ts';
import { noisePicture } from '../../fixtures/raster.ts';

const COLUMNS = fc.integer({ min: 1, max: 40 });
const ROWS = fc.integer({ min: 1, max: 40 });
const PIECE = fc.integer({ min: 1, max: 13 });

/** Gives rows in pieces, from the core. */
function give(
  pixels: Uint8Array,
  stride: number,
  piece: number,
  core: Core,
  take: (rows: Uint8Array, y: number) => void,
): void {
  const at = core.alloc(piece * stride);
  for (let y = 0; y * stride < pixels.length; y += piece) {
    const rows = pixels.subarray(y * stride, (y + piece) * stride);
    core.view(at, rows.length).set(rows);
    take(core.view(at, rows.length), y);
  }
}

describe('a band of turned rows', () => {
  it('equals a direct rotation, for any rows in pieces of any height', () => {
    fc.assert(
      fc.property(
        COLUMNS,
        ROWS,
        PIECE,
        fc.boolean(),
        fc.boolean(),
        (columns, rows, piece, rightToLeft, bottomUp) => {
          const { pixels } = noisePicture(columns, rows, columns * 41 + rows, 'any');
          const words = new Uint32Array(pixels.buffer);
          using home = createCore();
          const band = new RotatedBand(home, rows, columns + 2, { rightToLeft, bottomUp });
          give(pixels, columns * 4, piece, home, (part, y) => band.put(part, y, columns));
          const turned = new Uint32Array(band.rows(0, columns).slice().buffer);
          const expected = turned.map((_, i) => {
            const [row, column] = [Math.floor(i / rows), i % rows];
            const x = rightToLeft ? columns - 1 - row : row;
            return words[(bottomUp ? rows - 1 - column : column) * columns + x]!;
          });
          expect(turned).toEqual(expected);
        },
      ),
      { seed: 3, numRuns: 200 },
    );
  });

  it('takes any number of rows at once', () => {
    const [columns, rows] = [9, 5000];
    using core = createCore();
    const at = core.alloc(columns * rows * 4);
    const pixels = core.view(at, columns * rows * 4);
    pixels.set(noisePicture(columns, rows, 4).pixels);
    const rotation = { rightToLeft: true, bottomUp: true };
    const whole = new RotatedBand(core, rows, columns, rotation);
    const pieces = new RotatedBand(core, rows, columns, rotation);
    whole.put(core.view(at, columns * rows * 4), 0, columns);
    for (let y = 0; y < rows; y += 100) pieces.put(core.view(at + y * 36, 3600), y, columns);
    expect(whole.rows(0, columns)).toEqual(pieces.rows(0, columns));
  });

  it('refuses rows of another memory', () => {
    using core = createCore();
    const band = new RotatedBand(core, 2, 2, { rightToLeft: true, bottomUp: true });
    expect(() => band.put(new Uint8Array(16), 0, 2)).toThrow('do not lie in the core');
  });
});

describe('a band of flipped rows', () => {
  it('is the naive flip of any rows in any pieces, as they come', () => {
    fc.assert(
      fc.property(COLUMNS, ROWS, PIECE, fc.boolean(), (columns, rows, piece, mirror) => {
        const { pixels } = noisePicture(columns, rows, columns * 43 + rows, 'any');
        const words = new Uint32Array(pixels.buffer);
        using home = createCore();
        const band = new FlippedBand(home, columns, rows);
        give(pixels, columns * 4, piece, home, (part, y) => band.put(part, rows - 1 - y, mirror));
        const flipped = new Uint32Array(band.rows(0, rows).slice().buffer);
        const expected = flipped.map((_, i) => {
          const [row, column] = [Math.floor(i / columns), i % columns];
          return words[(rows - 1 - row) * columns + (mirror ? columns - 1 - column : column)]!;
        });
        expect(flipped).toEqual(expected);
      }),
      { seed: 4, numRuns: 200 },
    );
  });
});

describe('mirroring in place', () => {
  it('is what the typed arrays do, for any size, and touches nothing beyond', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 70 }), fc.integer({ min: 1, max: 5 }), (columns, rows) => {
        const { pixels } = noisePicture(columns, rows, columns, 'any');
        using core = createCore();
        const at = core.alloc(pixels.length + 32);
        core.view(at, pixels.length + 32).fill(7);
        core.view(at + 16, pixels.length).set(pixels);
        mirrorRows(core, core.view(at + 16, pixels.length), columns);
        const words = new Uint32Array(pixels.buffer);
        for (let row = 0; row < words.length; row += columns) words.subarray(row, row + columns).reverse();
        expect(core.view(at + 16, pixels.length)).toEqual(pixels);
        const guards = [...core.view(at, 16), ...core.view(at + 16 + pixels.length, 16)];
        expect(guards).toEqual(new Array<number>(32).fill(7));
      }),
      { seed: 6, numRuns: 200 },
    );
  });

  it('refuses rows of another memory, untouched', () => {
    using core = createCore();
    const { pixels } = noisePicture(5, 5, 1);
    const before = pixels.slice();
    expect(() => mirrorRows(core, pixels, 5)).toThrow('do not lie in the core');
    expect(pixels).toEqual(before);
  });
});
