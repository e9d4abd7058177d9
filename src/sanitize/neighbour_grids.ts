import type { Size } from '../codecs/types.ts';
import { blockAt } from '../pixels/block_edges.ts';
import type { Mosaic } from '../pixels/mosaic.ts';
import type { Rect } from '../pixels/rect.ts';

/** A mosaic over one face. */
export interface FaceMosaic extends Mosaic {
  readonly areas: readonly [Rect];
}

/**
 * Neighbours' blocks are halves, quarters or eighths of the coarsest one among them, whose edge is a multiple
 * of it.
 */
export const finestShare = 8;

/** Coarser blocks may touch further neighbours. This limits how often that is checked, to save time. */
const maxRounds = 8;

/** The longest edge that a block may get beside neighbours. */
export const coarsestJoined = (block: number): number => Math.ceil(block / finestShare) * finestShare;

/**
 * Gives mosaics whose blocks touch grids that coincide: finer blocks divide the coarser ones without
 * remainder, so that neither slivers of blocks nor bits of the picture remain between two faces. Blocks only
 * become coarser; a mosaic that touches no other stays as it is.
 */
export function joinNeighbourGrids(mosaics: readonly FaceMosaic[], output: Size): FaceMosaic[] {
  const groups = new Groups(mosaics.length);
  let edges = mosaics.map(({ block }) => block);
  for (let round = 0; round < maxRounds; round++) {
    if (!joinTouching(mosaics, edges, groups, output)) break;
    edges = joinedEdges(mosaics, groups);
  }
  return mosaics.map(({ areas }, index) => ({ block: edges[index]!, areas }));
}

/** @returns whether groups have been joined */
function joinTouching(
  mosaics: readonly FaceMosaic[],
  edges: readonly number[],
  groups: Groups,
  output: Size,
): boolean {
  let joins = false;
  const painted = mosaics
    .map(({ areas: [area] }, index) => ({ index, ...wholeBlocks(area, edges[index]!, output) }))
    .sort((a, b) => a.left - b.left);
  for (const [at, one] of painted.entries()) {
    for (let next = at + 1; next < painted.length && painted[next]!.left <= one.right; next++) {
      const other = painted[next]!;
      if (other.top > one.bottom || one.top > other.bottom) continue;
      if (groups.join(one.index, other.index)) joins = true;
    }
  }
  return joins;
}

function wholeBlocks({ x, y, width, height }: Rect, edge: number, output: Size) {
  const before = (value: number, length: number) => blockAt(value, edge, length) * edge;
  const after = (value: number) => Math.ceil(value / edge) * edge;
  return {
    left: before(x, output.width),
    top: before(y, output.height),
    right: after(x + width),
    bottom: after(y + height),
  };
}

function joinedEdges(mosaics: readonly FaceMosaic[], groups: Groups): number[] {
  const finest = new Map<number, number>();
  const coarsest = new Map<number, number>();
  for (const [index, { block }] of mosaics.entries()) {
    const group = groups.of(index);
    finest.set(group, Math.min(block, finest.get(group) ?? block));
    coarsest.set(group, Math.max(block, coarsest.get(group) ?? block));
  }
  return mosaics.map(({ block }, index) => {
    const group = groups.of(index);
    const most = coarsest.get(group)!;
    let share = 1;
    while (share < finestShare && most >= finest.get(group)! * share * 2) share *= 2;
    let edge = Math.ceil(most / share) * share;
    for (; share > 1 && edge >= block * 2; share /= 2) edge /= 2;
    return edge;
  });
}

/** Disjoint sets of indices (Tarjan, "Efficiency of a good but not linear set union algorithm", 1975). */
class Groups {
  readonly #parents: number[];

  constructor(count: number) {
    this.#parents = Array.from({ length: count }, (_, index) => index);
  }

  of(index: number): number {
    let root = index;
    while (this.#parents[root] !== root) {
      this.#parents[root] = this.#parents[this.#parents[root]!]!;
      root = this.#parents[root]!;
    }
    return root;
  }

  /** @returns whether they were in two groups */
  join(a: number, b: number): boolean {
    const [one, other] = [this.of(a), this.of(b)];
    this.#parents[Math.max(one, other)] = Math.min(one, other);
    return one !== other;
  }
}
