import { describe, expect, it } from 'vitest';
import { Indices, indexDepth, indicesBytes } from '../../../src/codecs/png/indices.ts';
import { ROW_SLACK } from '../../../src/core/constants.ts';
import { createCore } from '../../../src/core/instance.ts';

const BLACK = 0xff000000;
const WHITE = 0xffffffff;
const RED = 0xff0000ff;
const GLASS = 0x10ffffff;

/** Indices in a core of their own, and how a row is written by them: undefined where it has no room. */
function opened() {
  const core = createCore();
  const [at, rgba, out] = [indicesBytes(), 64 * 4 + ROW_SLACK, 64 + ROW_SLACK].map((bytes) =>
    core.alloc(bytes),
  );
  const indices = new Indices(core, at!);
  const write = (colours: number[], way: 'write' | 'look' = 'write') => {
    core.view(rgba!, colours.length * 4).set(new Uint8Array(Uint32Array.from(colours).buffer));
    return indices[way](rgba!, out!, colours.length) ? [...core.view(out!, colours.length)] : undefined;
  };
  return { indices, write };
}

const wordsOf = (bytes: Uint8Array) => [...new Uint32Array(bytes.slice().buffer)];

describe('Indices', () => {
  it('take the fewest bits', () => {
    expect([1, 2, 3, 4, 5, 16, 17, 256].map(indexDepth)).toEqual([1, 1, 2, 2, 4, 4, 8, 8]);
  });

  it('follow the order of the colours until they are arranged, then translucence and lightness', () => {
    const { indices, write } = opened();
    expect(write([WHITE, RED, GLASS, BLACK])).toEqual([0, 1, 2, 3]);
    expect(wordsOf(indices.colours())).toEqual([WHITE, RED, GLASS, BLACK]);
    expect([...indices.arrange(0).subarray(0, 4)]).toEqual([3, 2, 0, 1]);
    expect(indices.depth).toBe(2);
    expect(write([WHITE, RED, GLASS, BLACK])).toEqual([3, 2, 0, 1]);
    expect(indices.meaning().grey).toBe(false);
    expect(wordsOf(indices.meaning().palette)).toEqual([GLASS, BLACK, RED, WHITE]);
  });

  it('are the levels of greys, and of those that come later', () => {
    const { indices, write } = opened();
    write([WHITE, BLACK]);
    indices.arrange(4);
    expect(write([0xffaaaaaa, WHITE, 0xff555555, BLACK])).toEqual([2, 3, 1, 0]);
    expect(indices.meaning().grey).toBe(true);
  });

  it('are no levels any more where a colour comes later: it takes what is free', () => {
    const { indices, write } = opened();
    write([WHITE, BLACK]);
    indices.arrange(4);
    expect(write([RED, 0xff555555])).toEqual([1, 2]);
    expect(indices.meaning().grey).toBe(false);
    expect(wordsOf(indices.meaning().palette)).toEqual([BLACK, RED, 0xff555555, WHITE]);
  });

  it('leave entries that no pixel has opaque, so that alphas end with the last translucent colour', () => {
    const { indices, write } = opened();
    write([BLACK, WHITE]);
    indices.arrange(3);
    write([GLASS]);
    expect(wordsOf(indices.meaning().palette)).toEqual([BLACK, GLASS, BLACK, WHITE]);
  });

  it('have room for what they were arranged for, and count on up to 256 when that is used up', () => {
    const { indices, write } = opened();
    write([BLACK, RED]);
    indices.arrange(0);
    expect(write([BLACK, 0xff010203])).toBeUndefined();
    for (let i = 2; i < 256; i += 2) expect(write([BLACK + i, BLACK + i + 256], 'look')).toBeDefined();
    expect(indices.count).toBe(256);
    expect(new Set(wordsOf(indices.met())).size).toBe(256);
    expect(write([0xff999999], 'look')).toBeUndefined();
  });
});
