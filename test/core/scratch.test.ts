import { describe, expect, it } from 'vitest';
import { createCore } from '../../src/core/instance.ts';
import { Scratch } from '../../src/core/scratch.ts';

describe('a workspace', () => {
  it('lies in the core of the rows, and leaves it as it was', () => {
    using home = createCore();
    const before = home.exports.mark();
    {
      using workspace = new Scratch(home, [100, 200_000]);
      expect(workspace.core).toBe(home);
      expect(workspace.places[0]).toBe(before);
      expect(workspace.places[1]).toBe(before + 112);
    }
    expect(home.exports.mark()).toBe(before);
    expect(home.disposed).toBe(false);
  });

  it('has a core of its own where rows have none, and gives it back', () => {
    const workspace = new Scratch(undefined, [100]);
    const { core } = workspace;
    expect(core.disposed).toBe(false);
    workspace[Symbol.dispose]();
    expect(core.disposed).toBe(true);
  });

  it('that does not fit reserves nothing, and gives back what is its own', () => {
    using home = createCore();
    const before = home.exports.mark();
    expect(() => new Scratch(home, [1000, 0xffff_fff0])).toThrow(expect.objectContaining({ kind: 'limit' }));
    expect(home.exports.mark()).toBe(before);
    expect(() => new Scratch(undefined, [0xffff_fff0], 0)).toThrow(
      expect.objectContaining({ kind: 'limit' }),
    );
  });

  it('may end before one that was opened after it: what both held is freed then', () => {
    using home = createCore();
    const before = home.exports.mark();
    const first = new Scratch(home, [1000]);
    const second = new Scratch(home, [1000]);
    first[Symbol.dispose]();
    expect(home.exports.mark()).toBeGreaterThan(before);
    second[Symbol.dispose]();
    expect(home.exports.mark()).toBe(before);
  });
});
