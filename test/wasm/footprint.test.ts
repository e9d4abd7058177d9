import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createCore } from '../../wasm/core.ts';
import { heldBytesFor } from '../../wasm/footprint.ts';

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
