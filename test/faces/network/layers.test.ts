import { describe, expect, it } from 'vitest';
import { createCore } from '../../../src/core/instance.ts';
import { model } from '../../../src/faces/model.ts';
import { faceNet } from '../../../src/faces/network/face_net.ts';
import { ranges } from '../../../src/faces/network/ranges.ts';
import { yunet } from '../../../src/faces/network/yunet.ts';

/** Multiplications that all layers take for an input of so many pixels: every output once. */
function ofFaceNet(pixels: number): number {
  const { channels, blocks, neck } = model.shape;
  const separable = (inputs: number, outputs: number) => inputs * 9 + inputs * outputs;
  let sum = (pixels / 4) * 27 * channels[0];
  for (const [stage, more] of blocks.entries()) {
    const [inputs, outputs] = [channels[stage]!, channels[stage + 1]!];
    const at = pixels / 16 / 4 ** stage;
    sum += at * (separable(inputs, outputs) + more * separable(outputs, outputs));
    if (stage > 0) sum += at * (outputs * neck + 2 * separable(neck, neck) + neck * 8);
  }
  return sum;
}

function ofYunet(pixels: number): number {
  const unit = (inputs: number, outputs: number) => inputs * outputs + outputs * 9;
  const atFour = unit(16, 16) + unit(16, 64) + 2 * unit(64, 64);
  const perLevel = 4 * unit(64, 64) + unit(64, 8);
  const levels = [8, 16, 32].reduce((sum, stride) => sum + (pixels / stride ** 2) * perLevel, 0);
  return (pixels / 4) * (27 * 16 + unit(16, 16)) + (pixels / 16) * atFour + levels;
}

describe.each([
  ['the network for the whole', faceNet(model.shape, ranges.faceDetector), ofFaceNet],
  ['the network for tiles', yunet(ranges.yunet), ofYunet],
])('the layers of %s, connected', (_, architecture, multiplications) => {
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
    const weights = take(architecture.layout.bytes);
    const image = take(width * height * 12);
    const run = { exports: core.exports, memory: { take }, weights, spend };
    const { backbone, outputs } = architecture.connect(run, { image, width, height });
    expect(spent).toBe(0);
    expect([backbone.width, backbone.height]).toEqual([width / 32, height / 32]);
    for (let y = 0; y < backbone.height; y++) backbone.row(y);
    expect(outputs.map(({ stride }) => stride)).toEqual([32, 16, 8]);
    for (const { cells, stride, make } of outputs) {
      expect([cells.width, cells.height]).toEqual([width / stride, height / stride]);
      for (let y = 0; y < cells.height; y++) make(y);
    }
    expect(spent).toBe(multiplications(width * height));
  });
});
