import { expect, it } from 'vitest';
import { allocateInCore, createCore } from '../../src/core/instance.ts';
import { detachedCopy, releaseBytes, retainedBytes } from '../../src/memory/owned_bytes.ts';

it('knows bytes in a core from others: what they keep, how they outlive it, that they are gone once given back', () => {
  const core = createCore();
  const inside = core.view(core.alloc(1000), 1000).fill(7);
  expect(retainedBytes(inside)).toEqual({ total: core.heldBytes, outsideCores: 0 });
  const own = detachedCopy(inside);
  releaseBytes(inside);
  expect(core.disposed).toBe(true);
  expect(inside.length).toBe(0);
  expect(own).toEqual(new Uint8Array(1000).fill(7));

  expect(retainedBytes(own)).toEqual({ total: 1000, outsideCores: 1000 });
  expect(detachedCopy(own)).toBe(own);
  releaseBytes(own);
  expect(own.length).toBe(1000);
});

it('finds the core of a file whose memory has grown', () => {
  const core = createCore();
  const file = allocateInCore(core, 1000);
  core.alloc(10_000_000);
  expect(file.length).toBe(0);
  releaseBytes(file);
  expect(core.disposed).toBe(true);
});
