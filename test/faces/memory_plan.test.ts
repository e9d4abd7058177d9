import { expect, it } from 'vitest';
import { arraysCost } from '../../src/faces/bump_allocator.ts';
import { planDetection } from '../../src/faces/detection_plan.ts';
import { inputFloats, planMemory } from '../../src/faces/memory_plan.ts';
import type { FaceModel } from '../../src/faces/network/network.ts';
import { passInputsCost, pictureCost } from '../../src/faces/pass_inputs.ts';

const model: FaceModel = {
  workspaceBytes: () => 1000,
  run: () => Promise.reject(new Error('not run')),
};

it.each([
  [4000, 3000],
  [6000, 4000],
  [8000, 6000],
])(
  'holds the tiles of a crowd and what reads them, beside the half-size picture: %i × %i',
  (width, height) => {
    const source = { width, height };
    const plan = planDetection(source);
    const tiles = passInputsCost(source, { whole: plan.whole, fine: plan.crowd! });
    const { total, workspace } = planMemory({ whole: model, tiles: model }, source, plan);
    const before = passInputsCost(source, plan).kept + arraysCost(inputFloats * 4, workspace);
    expect(total - before).toBeGreaterThanOrEqual(pictureCost(plan.half!) + tiles.kept + tiles.reading);
  },
);
