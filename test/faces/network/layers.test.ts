import { describe, expect, it } from 'vitest';
import { createCore } from '../../../src/core/instance.ts';
import { model } from '../../../src/faces/model.ts';
import { connectLayers } from '../../../src/faces/network/layers.ts';
import { networkLayout } from '../../../src/faces/network/layout.ts';

const layout = networkLayout(model.shape);

/** Multiplications that all layers take for an input of so many pixels: every output once. */
function multiplications(pixels: number): number {
  let sum = (pixels / 4) * 27 * layout.stem.outputs;
  let stride = 2;
  const separable = (inputs: number, outputs: number) => inputs * 9 + inputs * outputs;
  for (const { blocks, ...level } of [{ blocks: layout.first }, ...layout.levels]) {
    for (const block of blocks) {
      stride *= block.stride;
      const { inputs, outputs } = block.pointwise;
      sum += (pixels / stride ** 2) * separable(inputs, outputs);
    }
    if (!('lateral' in level)) continue;
    const { inputs, outputs: neck } = level.lateral;
    sum += (pixels / stride ** 2) * (inputs * neck + 2 * separable(neck, neck) + neck * 8);
  }
  return sum;
}

describe('the layers, connected', () => {
  it.each([
    [32, 32],
    [96, 64],
    [64, 160],
  ])('make every row of %i × %i once', (width, height) => {
    using core = createCore();
    let spent = 0;
    const take = (bytes: number) => {
      const at = core.alloc(bytes);
      core.view(at, bytes).fill(0);
      return at;
    };
    const spend = (more: number) => {
      spent += more;
    };
    const weights = take(layout.floats * 4);
    const image = take(width * height * 12);
    const run = { exports: core.exports, places: { take }, weights, spend };
    const { backbone, takenOver, outputs } = connectLayers(run, layout, { image, width, height });
    expect(spent).toBe(0);
    expect([backbone.width, backbone.height]).toEqual([width / 32, height / 32]);
    for (let y = 0; y < backbone.height; y++) backbone.row(y);
    expect(takenOver).toContainEqual({ at: image, bytes: width * height * 12 });
    expect(outputs.map(({ stride }) => stride)).toEqual([32, 16, 8]);
    for (const output of outputs) {
      expect([output.width, output.height]).toEqual([width / output.stride, height / output.stride]);
      for (let y = 0; y < output.height; y++) output.make(y);
    }
    expect(spent).toBe(multiplications(width * height));
  });
});
