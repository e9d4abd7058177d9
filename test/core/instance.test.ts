import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressOf, createCore } from '../../src/core/instance.ts';
import { seededRandom } from '../fixtures/random.ts';

describe('core memory', () => {
  it('aligns to 16 bytes, grows, and gives back to a mark', () => {
    const core = createCore();
    const first = core.alloc(1);
    const mark = core.exports.mark();
    const second = core.alloc(1_000_000);
    expect(first % 16).toBe(0);
    expect(second).toBe(first + 16);
    core.view(second, 1_000_000).fill(7);
    core.exports.release(mark);
    expect(core.alloc(5)).toBe(second);
    expect(core.exports.peakBytes()).toBeGreaterThanOrEqual(second + 1_000_000);
    expect(core.heldBytes).toBeGreaterThanOrEqual(core.exports.peakBytes());
  });

  it('leaves nothing behind for the next: zeros, no views, no use after it was given back', () => {
    const core = createCore();
    const at = core.alloc(3_000_000);
    const view = core.view(at, 3_000_000).fill(7);
    const { heldBytes } = core;
    core[Symbol.dispose]();
    core[Symbol.dispose]();
    expect(view.length).toBe(0);
    expect(core.disposed).toBe(true);
    expect(core.heldBytes).toBe(heldBytes);
    expect(() => core.exports).toThrow('given back');
    expect(() => core.view(0, 1)).toThrow('given back');
    expect(() => core.alloc(1)).toThrow('given back');

    using next = createCore(3_000_000);
    expect(next.heldBytes).toBeLessThan(heldBytes);
    expect(next.alloc(3_000_000)).toBe(at);
    expect(next.view(at, 3_000_000).every((byte) => byte === 0)).toBe(true);
  });

  it('is freed by regions in any order, once nothing above is in use', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 1, maxLength: 8 }),
        fc.integer(),
        (sizes, seed) => {
          using core = createCore();
          const base = core.exports.mark();
          const regions = sizes.map((size) => {
            const region = core.region();
            const start = core.alloc(size);
            return { region, start, end: core.exports.mark(), open: true };
          });
          const random = seededRandom(seed);
          const order = [...regions].sort(() => random() - 0.5);
          for (const closed of order) {
            closed.region[Symbol.dispose]();
            closed.open = false;
            const highest = regions.findLast(({ open }) => open);
            expect(core.exports.mark()).toBe(highest?.end ?? base);
          }
        },
      ),
      { seed: 9 },
    );
  });

  it('tells the address of its rows, and of none that lie elsewhere or were there before it grew', () => {
    using core = createCore();
    const at = core.alloc(64);
    const rows = core.view(at, 64);
    expect(addressOf(core, rows.subarray(16))).toBe(at + 16);
    expect(() => addressOf(core, new Uint8Array(64))).toThrow('do not lie in the core');
    core.alloc(core.memoryBytes);
    expect(() => addressOf(core, rows)).toThrow('its memory has grown since');
  });

  it('survives regions that end after it', () => {
    const core = createCore();
    const region = core.region();
    core[Symbol.dispose]();
    expect(() => region[Symbol.dispose]()).not.toThrow();
  });

  it('refuses what can never fit and stays usable', () => {
    const core = createCore();
    expect(() => core.alloc(0xffff_fff0)).toThrow(expect.objectContaining({ kind: 'limit' }));
    expect(core.alloc(16)).toBeGreaterThan(0);
  });
});
