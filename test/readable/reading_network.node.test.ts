import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCore } from '../../src/core/instance.ts';
import { type ReadingOptions, readingNetwork } from '../../src/readable/reading_network.ts';
import { noisePicture } from '../fixtures/raster.ts';
import { openOutputs } from '../fixtures/reference_model.ts';

const file = readFileSync('models/readable_detector.onnx');
const network = readingNetwork(async () => new Uint8Array(file).buffer);

/** All rows of the maps of a picture; the workspace is full of what must not matter. */
async function mapsOf(pixels: Uint8Array, width: number, height: number, spans?: ReadingOptions['spans']) {
  const bytes = network.workspaceBytes({ width, height });
  using core = createCore();
  const workspace = { core, at: core.alloc(bytes), bytes };
  core.view(workspace.at, bytes).fill(0xff);
  const options = { spend: () => {}, ...(spans && { spans }) };
  const pass = await network.begin(workspace, { width, height }, options);
  const maps: number[] = [];
  for (let y = 0; y < height; y++) {
    pass.push(pixels.subarray(3 * width * y, 3 * width * (y + 1)));
    for (let row = pass.next(); row; row = pass.next()) maps.push(...row);
  }
  return maps;
}

describe('readable_detector, beside onnxruntime-web', async () => {
  const reference = await openOutputs(file);

  /** The largest difference of both models' answers. */
  async function expectSame(pixels: Uint8Array, width: number, height: number) {
    const ours = await mapsOf(pixels, width, height);
    const plane = width * height;
    const data = Float32Array.from(
      { length: 3 * plane },
      (_, i) => pixels[(i % plane) * 3 + Math.floor(i / plane)]!,
    );
    const { maps } = await reference({ image: { data, dims: [1, 3, height, width] } });
    const cells = (width / 4) * (height / 4);
    expect([1, 2, height / 4, width / 4]).toEqual(maps!.dims);
    expect(ours).toHaveLength(2 * cells);
    let most = 0;
    for (let cell = 0; cell < cells; cell++) {
      for (const kind of [0, 1]) {
        most = Math.max(most, Math.abs(ours[2 * cell + kind]! - maps!.data[kind * cells + cell]!));
      }
    }
    // Within what rounding to 16 bits makes of it: 0.0015 over these.
    expect(most).toBeLessThanOrEqual(3e-3);
    return ours;
  }

  it('says the same of noise of any shape', async () => {
    const side = fc.integer({ min: 1, max: 8 }).map((count) => count * 32);
    await fc.assert(
      fc.asyncProperty(side, side, fc.integer({ min: 1, max: 255 }), async (width, height, seed) => {
        const { pixels } = noisePicture(width, height, seed);
        await expectSame(
          pixels.filter((_, at) => at % 4 !== 3),
          width,
          height,
        );
      }),
      { numRuns: 12, seed: 1 },
    );
  });

  it.each([
    [32, 640],
    [640, 32],
    [320, 256],
    [96, 1280],
  ])('says the same of bars in %i × %i, and not one value everywhere', async (width, height) => {
    const pixels = Uint8Array.from({ length: 3 * width * height }, (_, i) => (i % 29 < 3 ? 20 : 235));
    expect(new Set(await expectSame(pixels, width, height)).size).toBeGreaterThan(10);
  });

  it('leaves out what it is told to: it says nothing there, and of the rest far from it the same', async () => {
    const [width, height] = [448, 896];
    const { pixels } = noisePicture(width, height, 4);
    const colours = pixels.filter((_, at) => at % 4 !== 3);
    const all = await mapsOf(colours, width, height);
    // Cells of 32 pixels: some at the top, none over nine rows, then those on the left.
    const cellsOf = (row: number) => (row < 3 ? { from: 8, to: 14 } : { from: 0, to: row < 12 ? 0 : 12 });
    const parts = await mapsOf(colours, width, height, (y, across, down) => {
      const { from, to } = cellsOf(Math.floor((y * height) / (32 * down)));
      const perCell = (across * 32) / width;
      return to > from ? [{ from: from * perCell, to: to * perCell }] : [];
    });
    const places = all.map((_, at) => {
      const [x, y] = [(at >> 1) % (width / 4), Math.floor((at >> 1) / (width / 4))];
      const { from, to } = cellsOf(y >> 3);
      // Farther away from what is left out than any layer sees.
      const isFar = y >= 12 * 8 + 70 && x < 12 * 8 - 70;
      return x < 8 * from || x >= 8 * to ? 'left out' : isFar ? 'far' : 'near';
    });
    const valuesAt = (values: readonly number[], place: string) =>
      values.filter((_, at) => places[at] === place);
    expect(valuesAt(parts, 'left out').every((value) => value === 0)).toBe(true);
    expect(valuesAt(parts, 'far')).toEqual(valuesAt(all, 'far'));
    expect(valuesAt(all, 'far').length).toBeGreaterThan(2000);
    expect(valuesAt(parts, 'near').filter((value) => value > 0).length).toBeGreaterThan(2000);
  });
});
