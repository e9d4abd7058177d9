import { describe, expect, it } from 'vitest';
import { runtimeHeapBytes } from '../../src/faces/detector.ts';
import { faceSession } from '../../src/faces/session.ts';
import { batchFloats, cropFloats } from '../../src/faces/verifier.ts';

describe('face session', () => {
  it('stays within the heap that is counted, whatever the shapes and however often', async () => {
    const session = await faceSession();
    const shapes = [
      [640, 640],
      [224, 160],
      [1280, 320],
      [320, 1280],
      [32, 1600],
      [736, 544],
      [1056, 384],
      [448, 448],
      [384, 352],
      [288, 1408],
      [32, 32],
      [640, 480],
      [640, 640],
    ] as const;
    for (let round = 0; round < 2; round++) {
      for (const [width, height] of shapes)
        await session.run(new Float32Array(3 * width * height), width, height);
      for (const count of [1, 7, batchFloats / cropFloats])
        await session.verify(new Float32Array(count * cropFloats), count);
    }
    expect(session.heapBytes).toBeGreaterThan(16 * 1024 * 1024);
    expect(session.heapBytes).toBeLessThanOrEqual(runtimeHeapBytes);
  });
});
