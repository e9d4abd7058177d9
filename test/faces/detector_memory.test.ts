import { describe, expect, it } from 'vitest';
import { isolateMemoryPool } from '../../src/core/memory_pool.ts';
import { arraysCost, ownArrays } from '../../src/faces/bump_allocator.ts';
import { planDetection } from '../../src/faces/detection_plan.ts';
import { createFaceDetector } from '../../src/faces/detector.ts';
import { DetectorMemory } from '../../src/faces/detector_memory.ts';
import type { FaceModel } from '../../src/faces/network/network.ts';
import { Search } from '../../src/faces/search.ts';
import { seededBelow } from '../fixtures/random.ts';
import { redRaster } from '../fixtures/red_finder.ts';

/** Takes every idle memory of the pool, the largest first, runs `view` on each, and gives them back. */
function lookAtIdle(view: (bytes: Uint8Array) => void): void {
  const { idleBytes } = isolateMemoryPool;
  const taken = [];
  while (isolateMemoryPool.idleBytes > 0) taken.push(isolateMemoryPool.take(2 ** 32));
  expect(taken.reduce((sum, { buffer }) => sum + buffer.byteLength, 0)).toBe(idleBytes);
  for (const memory of taken) view(new Uint8Array(memory.buffer));
  for (const memory of taken) isolateMemoryPool.giveBack(memory, 0);
}

const isAllZero = (bytes: Uint8Array) => bytes.every((byte) => byte === 0);

describe('DetectorMemory', () => {
  it('gives arrays of zeros that do not overlap, of no more than was asked for', () => {
    const next = seededBelow(7);
    for (let round = 0; round < 20; round++) {
      const counts = Array.from({ length: 12 }, () => 1 + next(5000));
      using memory = DetectorMemory.open(arraysCost(...counts.map((count, i) => count * (i % 3 ? 4 : 1))));
      const arrays = counts.map((count, i) => {
        if (i % 3 === 0) return memory.bytes(count).fill(i + 1);
        return (i % 3 === 1 ? memory.floats(count) : memory.integers(count)).fill(i + 1);
      });
      for (const [i, array] of arrays.entries()) expect(array.every((value) => value === i + 1)).toBe(true);
      expect(() => memory.bytes(1)).toThrow('more memory than its cost');
    }
  });

  it('uses a region again, with zeros, and parts of it as often as wanted', () => {
    using memory = DetectorMemory.open(arraysCost(100, 1000));
    memory.bytes(100).fill(1);
    for (let round = 0; round < 3; round++) {
      using _region = memory.region();
      const part = memory.part(1000);
      for (let use = 0; use < 3; use++) {
        using _use = part.region();
        const floats = part.floats(250);
        expect(isAllZero(new Uint8Array(floats.buffer, floats.byteOffset, 1000))).toBe(true);
        floats.fill(9);
        expect(() => part.bytes(1)).toThrow('more memory than its cost');
      }
    }
  });

  it('leaves nothing of a picture when it is disposed of: zeros, and arrays without bytes', () => {
    const memory = DetectorMemory.open(arraysCost(5000));
    const bytes = memory.bytes(5000).fill(255);
    memory[Symbol.dispose]();
    expect(bytes).toHaveLength(0);
    expect(() => memory.bytes(1)).toThrow();
    lookAtIdle((left) => expect(isAllZero(left)).toBe(true));
  });

  it('is given back where there is not enough memory', () => {
    const before = isolateMemoryPool.usedBytes;
    expect(() => DetectorMemory.open(2 ** 32 - 1024)).toThrow('memory');
    expect(isolateMemoryPool.usedBytes).toBe(before);
  });
});

describe('a detection', () => {
  const seen: Float32Array[] = [];
  const model = (fails: boolean): FaceModel => ({
    workspaceBytes: () => 1000,
    async run({ core, at, bytes }, image) {
      core.view(at, bytes).fill(7);
      if (fails) throw new Error('the model failed');
      expect(image.some((value) => value > 0)).toBe(true);
      seen.push(image);
      return { boxes: Float32Array.of(10, 10, 40, 40), scores: Float32Array.of(0.3) };
    },
  });

  it.each([
    ['that ends', false],
    ['whose model fails', true],
  ])('%s leaves nothing of its picture behind, and holds what its cost says', async (_name, fails) => {
    const detector = createFaceDetector(model(fails));
    const source = redRaster(1600, 1200, { x: 300, y: 300, w: 60, h: 60 });
    const before = isolateMemoryPool.usedBytes;
    const detection = detector.detect(source, { confidence: 0.5, effort: 'thorough' });
    if (fails) await expect(detection).rejects.toThrow('the model failed');
    else expect((await detection).passes).toBeGreaterThan(5);
    expect(isolateMemoryPool.usedBytes).toBe(before);
    for (const image of seen) expect(image).toHaveLength(0);
    lookAtIdle((left) => expect(isAllZero(left)).toBe(true));
  });

  it('takes the memory of the one before', async () => {
    const detector = createFaceDetector(model(false));
    const source = redRaster(1600, 1200, { x: 300, y: 300, w: 60, h: 60 });
    const options = { confidence: 0.5, effort: 'thorough' } as const;
    await detector.detect(source, options);
    const { idleBytes } = isolateMemoryPool;
    for (let count = 0; count < 3; count++) await detector.detect(source, options);
    expect(isolateMemoryPool.idleBytes).toBe(idleBytes);
  });

  it('costs as much as its memory', () => {
    for (const [width, height] of [
      [100, 100],
      [4000, 3000],
      [50_000, 1000],
    ] as const) {
      const size = { width, height };
      const source = redRaster(1, 1, { x: 0, y: 0, w: 1, h: 1 });
      const before = isolateMemoryPool.usedBytes;
      isolateMemoryPool.limit = 0;
      const models = { whole: model(false), tiles: model(false) };
      using _search = new Search(models, { ...source, ...size }, planDetection(size));
      expect(isolateMemoryPool.usedBytes - before).toBe(
        Search.cost(models, size, planDetection(size)).inCores,
      );
    }
  });
});

describe('arrays of one’s own', () => {
  it('are of zeros, too', () => {
    for (const array of [ownArrays.bytes(5), ownArrays.floats(5), ownArrays.integers(5)]) {
      expect([...array]).toEqual([0, 0, 0, 0, 0]);
    }
  });
});
