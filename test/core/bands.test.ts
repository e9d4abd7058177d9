import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FlippedBand } from '../../src/core/flip.ts';
import { type Core, createCore } from '../../src/core/instance.ts';
import { mirrorInCore } from '../../src/core/kernels.ts';
import { RotatedBand } from '../../src/core/rotate.ts';
import { mirrorPixels } from '../../src/pixels/orient.ts';
import { noisePicture } from '../fixtures/raster.ts';

const COLUMNS = fc.integer({ min: 1, max: 40 });
const ROWS = fc.integer({ min: 1, max: 40 });
const PIECE = fc.integer({ min: 1, max: 13 });
/** Rows that lie in the core the band is in, or elsewhere. */
const HOME = fc.boolean();

/** Gives rows in pieces, from the core or from plain memory. @returns how many there were */
function give(
  pixels: Uint8Array,
  stride: number,
  piece: number,
  core: Core | undefined,
  take: (rows: Uint8Array, y: number) => void,
): void {
  const at = core?.alloc(piece * stride) ?? 0;
  for (let y = 0; y * stride < pixels.length; y += piece) {
    const rows = pixels.subarray(y * stride, (y + piece) * stride);
    core?.view(at, rows.length).set(rows);
    take(core?.view(at, rows.length) ?? rows, y);
  }
}

describe('a band of turned rows', () => {
  it('is the naive turn of any rows in any pieces, wherever they lie', () => {
    fc.assert(
      fc.property(
        COLUMNS,
        ROWS,
        PIECE,
        fc.boolean(),
        fc.boolean(),
        HOME,
        (columns, rows, piece, rightToLeft, bottomUp, isHome) => {
          const { pixels } = noisePicture(columns, rows, columns * 41 + rows, 'any');
          const words = new Uint32Array(pixels.buffer);
          const home = isHome ? createCore() : undefined;
          const band = new RotatedBand(home, rows, columns + 2, { rightToLeft, bottomUp });
          give(pixels, columns * 4, piece, home, (part, y) => band.put(part, y, columns));
          const turned = new Uint32Array(band.rows(columns).slice().buffer);
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

  it('takes more than its input holds at once', () => {
    const [columns, rows] = [9, 5000];
    const { pixels } = noisePicture(columns, rows, 4);
    const whole = new RotatedBand(undefined, rows, columns, { rightToLeft: true, bottomUp: true });
    whole.put(pixels, 0, columns);
    const pieces = new RotatedBand(undefined, rows, columns, { rightToLeft: true, bottomUp: true });
    for (let y = 0; y < rows; y += 100) pieces.put(pixels.subarray(y * 36, (y + 100) * 36), y, columns);
    expect(whole.rows(columns)).toEqual(pieces.rows(columns));
  });
});

describe('a band of flipped rows', () => {
  it('is the naive flip of any rows in any pieces, wherever they lie', () => {
    fc.assert(
      fc.property(COLUMNS, ROWS, PIECE, fc.boolean(), HOME, (columns, rows, piece, mirror, isHome) => {
        const { pixels } = noisePicture(columns, rows, columns * 43 + rows, 'any');
        const words = new Uint32Array(pixels.buffer);
        const home = isHome ? createCore() : undefined;
        const band = new FlippedBand(home, columns, rows);
        give(pixels, columns * 4, piece, home, (part, y) => band.put(part, rows - 1 - y, mirror));
        const flipped = new Uint32Array(band.rows(rows).slice().buffer);
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
        expect(mirrorInCore(core.view(at + 16, pixels.length), columns)).toBe(true);
        mirrorPixels(pixels, columns);
        expect(core.view(at + 16, pixels.length)).toEqual(pixels);
        const guards = [...core.view(at, 16), ...core.view(at + 16 + pixels.length, 16)];
        expect(guards).toEqual(new Array<number>(32).fill(7));
      }),
      { seed: 6, numRuns: 200 },
    );
  });

  it('leaves pixels outside of cores to others', () => {
    const { pixels } = noisePicture(5, 5, 1);
    const before = pixels.slice();
    expect(mirrorInCore(pixels, 5)).toBe(false);
    expect(pixels).toEqual(before);
  });
});
