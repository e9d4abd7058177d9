import { describe, expect, it } from 'vitest';
import { createCore } from '../../wasm/core.ts';

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

  it('refuses what can never fit and stays usable', () => {
    const core = createCore();
    expect(() => core.alloc(0xffff_fff0)).toThrow(RangeError);
    expect(core.alloc(16)).toBeGreaterThan(0);
  });
});
