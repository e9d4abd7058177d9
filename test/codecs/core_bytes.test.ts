import { expect, it } from 'vitest';
import { giveBackBytes, keptBytes, ownBytes } from '../../src/codecs/core_bytes.ts';
import { allocResident, createCore } from '../../wasm/core.ts';

it('knows bytes in a core from others: what they keep, how they outlive it, that they are gone once given back', () => {
  const core = createCore();
  const inside = core.view(core.alloc(1000), 1000).fill(7);
  expect(keptBytes(inside)).toEqual({ total: core.heldBytes, outsideCores: 0 });
  const own = ownBytes(inside);
  giveBackBytes(inside);
  expect(core.disposed).toBe(true);
  expect(inside.length).toBe(0);
  expect(own).toEqual(new Uint8Array(1000).fill(7));

  expect(keptBytes(own)).toEqual({ total: 1000, outsideCores: 1000 });
  expect(ownBytes(own)).toBe(own);
  giveBackBytes(own);
  expect(own.length).toBe(1000);
});

it('finds the core of a file whose memory has grown', () => {
  const core = createCore();
  const file = allocResident(core, 1000);
  core.alloc(10_000_000);
  expect(file.length).toBe(0);
  giveBackBytes(file);
  expect(core.disposed).toBe(true);
});
