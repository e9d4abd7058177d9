import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createCore } from '../../src/core/instance.ts';
import { allocatedBytes, heldBytesFor } from '../../src/core/sizes.ts';

it('predicts to the byte what a core holds after the same allocations', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(400_000), { maxLength: 12 }), (sizes) => {
      const core = createCore();
      for (const size of sizes) core.alloc(size);
      expect(heldBytesFor(sizes)).toBe(core.heldBytes);
    }),
    { numRuns: 60, seed: 3 },
  );
});

it('knows to the byte what one allocation takes', () => {
  using core = createCore();
  for (const size of [0, 1, 15, 16, 17, 1000, 4096, 65_537]) {
    const before = core.exports.mark();
    core.alloc(size);
    expect(core.exports.mark() - before).toBe(allocatedBytes(size));
  }
});
