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

  it('refuses what can never fit and stays usable', () => {
    const core = createCore();
    expect(() => core.alloc(0xffff_fff0)).toThrow(RangeError);
    expect(core.alloc(16)).toBeGreaterThan(0);
  });
});
