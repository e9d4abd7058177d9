import { describe, expect, it } from 'vitest';
import { createCore } from '../../src/core/instance.ts';
import { Scratch } from '../../src/core/scratch.ts';

describe('scratch memory', () => {
  it('lies in the core of the rows, and leaves it as it was', () => {
    using core = createCore();
    const before = core.exports.mark();
    {
      using scratch = new Scratch(core, [100, 200_000]);
      expect(scratch.core).toBe(core);
      expect(scratch.places[0]).toBe(before);
      expect(scratch.places[1]).toBe(before + 112);
    }
    expect(core.exports.mark()).toBe(before);
    expect(core.disposed).toBe(false);
  });

  it('that does not fit reserves nothing, and leaves the core as it was', () => {
    using core = createCore();
    const before = core.exports.mark();
    expect(() => new Scratch(core, [1000, 0xffff_fff0])).toThrow(expect.objectContaining({ kind: 'limit' }));
    expect(core.exports.mark()).toBe(before);
    expect(core.alloc(16)).toBe(before);
  });

  it('may end before one that was opened after it: what both held is freed then', () => {
    using core = createCore();
    const before = core.exports.mark();
    const first = new Scratch(core, [1000]);
    const second = new Scratch(core, [1000]);
    first[Symbol.dispose]();
    expect(core.exports.mark()).toBeGreaterThan(before);
    second[Symbol.dispose]();
    expect(core.exports.mark()).toBe(before);
  });
});
