import { expect, it } from 'vitest';
import { createCore } from '../../../../src/core/instance.ts';
import { seededBelow } from '../../../fixtures/random.ts';
import { firstDifference } from '../first_difference.ts';
import { type Block, predictIntra } from './reference.ts';

/** Widths and heights, as powers of two. */
const SIZES = '22 33 44 55 66 23 32 34 43 45 54 56 65 24 42 35 53 46 64'
  .split(' ')
  .map(([width, height]) => [Number(width), Number(height)] as const);
const MODES = 'DC,V,H,D45,D135,D113,D157,D203,D67,smooth,smooth V,smooth H,Paeth'.split(',');
const DIRECTIONAL_MODES = 8;
const FILTER_MODES = 5;

/** A plane with a margin of memory around, and a line where the row above can lie instead. */
const SIDE = 256;
const MARGIN = 32;
const STRIDE = SIDE + MARGIN;

type Below = (below: number) => number;

const core = createCore();
const plane = core.alloc((SIDE + 2 * MARGIN) * STRIDE * 2) + (MARGIN * STRIDE + MARGIN) * 2;
const line = core.alloc((SIDE + 2 * MARGIN) * 2) + MARGIN * 2;
const structure = core.alloc(64);

/** Samples of a random texture: noise, a gradient with noise, or extremes. */
function drawSamples(bitDepth: number, below: Below): number[][] {
  const most = 2 ** bitDepth - 1;
  const kind = below(3);
  const slope = below(200) / 100;
  return Array.from({ length: SIDE }, (_, y) =>
    Array.from({ length: SIDE }, (_, x) => {
      if (kind === 0) return below(most + 1);
      if (kind === 1) return Math.min(most, Math.floor((x * slope + y + below(8)) * (most / 900)));
      return below(2) * most;
    }),
  );
}

/** Lays the block out as intra_block.ts has it. */
function writeStructure(
  block: Block,
  bitDepth: number,
  aboveAt: number,
  counts: readonly [number, number],
): void {
  const view = new DataView(core.exports.memory.buffer, structure);
  const words = [
    plane + (block.y * STRIDE + block.x) * 2,
    STRIDE * 2,
    aboveAt,
    block.log2W,
    block.log2H,
    block.mode,
    block.angleDelta,
    block.filterMode,
  ];
  words.forEach((word, i) => {
    view.setInt32(i * 4, word, true);
  });
  view.setUint8(32, Number(block.haveAbove));
  view.setUint8(33, Number(block.haveLeft));
  view.setInt32(36, counts[0], true);
  view.setInt32(40, counts[1], true);
  view.setUint8(44, Number(block.edgeFilter));
  view.setUint8(45, Number(block.smoothNeighbour));
  view.setInt32(48, bitDepth, true);
}

/**
 * A random place and surroundings for a block of this size and mode, the picture's edge within it at times.
 */
function drawBlock(
  size: readonly [number, number],
  mode: Pick<Block, 'mode' | 'angleDelta' | 'filterMode'>,
  below: Below,
) {
  const [log2W, log2H] = size;
  const [w, h] = [1 << log2W, 1 << log2H];
  const x = 4 * (1 + below(30));
  const y = 4 * (1 + below(30));
  const block: Block = {
    x,
    y,
    log2W,
    log2H,
    ...mode,
    haveLeft: below(4) > 0,
    haveAbove: below(4) > 0,
    haveAboveRight: below(2) > 0,
    haveBelowLeft: below(2) > 0,
    edgeFilter: below(4) > 0,
    smoothNeighbour: below(2) > 0,
  };
  const maxX = below(3) ? SIDE - 1 : x + 4 * (1 + below((2 * w) / 4)) - 1;
  const maxY = below(3) ? SIDE - 1 : y + 4 * (1 + below((2 * h) / 4)) - 1;
  const counts = [
    Math.min(maxX - x + 1, block.haveAboveRight ? 2 * w : w),
    Math.min(maxY - y + 1, block.haveBelowLeft ? 2 * h : h),
  ] as const;
  return { block, maxX, maxY, counts };
}

function compare(
  samples: number[][],
  bitDepth: number,
  size: readonly [number, number],
  mode: Pick<Block, 'mode' | 'angleDelta' | 'filterMode'>,
  below: Below,
): void {
  const { block, maxX, maxY, counts } = drawBlock(size, mode, below);
  const { x, y } = block;
  const [w, h] = [1 << size[0], 1 << size[1]];
  const memory = new Uint16Array(core.exports.memory.buffer);
  // In half of the cases the row above lies elsewhere, and what is above the block in the plane is garbage.
  const isElsewhere = below(2) > 0;
  memory.set(samples[y - 1]!, line / 2);
  if (isElsewhere) memory.fill(0x5555, at(y - 1, 0), at(y - 1, SIDE));
  writeStructure(block, bitDepth, isElsewhere ? line + x * 2 : plane + ((y - 1) * STRIDE + x) * 2, counts);
  core.exports.av1PredictIntra(structure);
  predictIntra({ samples, maxX, maxY, bitDepth }, block).forEach((expected, i) => {
    const row = memory.subarray(at(y + i, x), at(y + i, x + w));
    const difference = firstDifference(row, expected);
    if (difference >= 0) {
      expect(`${w}x${h} ${JSON.stringify(block)} ${counts}: row ${i}, column ${difference}`).toBe('the same');
    }
    row.set(samples[y + i]!.slice(x, x + w));
  });
  if (isElsewhere) memory.set(samples[y - 1]!, at(y - 1, 0));
}

/** Where a sample is, in u16 of memory. */
const at = (row: number, column: number) => plane / 2 + row * STRIDE + column;

/** Lays random samples out in the plane; `check` says whether they are as they were, blocks put back. */
function drawPlane(bitDepth: number, below: Below) {
  const samples = drawSamples(bitDepth, below);
  const memory = new Uint16Array(core.exports.memory.buffer);
  samples.forEach((row, i) => {
    memory.set(row, at(i, 0));
  });
  const whole = () => memory.subarray(at(-1, 0), at(SIDE + 1, 0));
  const before = whole().slice();
  return { samples, check: () => expect(firstDifference(whole(), before)).toBe(-1) };
}

/** @param rounds how often each size, mode and angle is tried */
export function intraPredictionSuite(rounds: number): void {
  for (const bitDepth of [8, 10, 12]) {
    MODES.forEach((name, mode) => {
      it(`${name}, ${bitDepth} bits: all sizes, edges and availabilities`, () => {
        const below = seededBelow(mode * 100 + bitDepth);
        const { samples, check } = drawPlane(bitDepth, below);
        const isDirectional = mode >= 1 && mode <= DIRECTIONAL_MODES;
        for (const size of SIZES) {
          for (let k = 0; k < (isDirectional ? 7 : 2) * rounds; k++) {
            const angleDelta = isDirectional ? (k % 7) - 3 : 0;
            compare(samples, bitDepth, size, { mode, angleDelta, filterMode: -1 }, below);
          }
        }
        check();
      });
    });

    it(`filter intra, ${bitDepth} bits: all filters and sizes to 32`, () => {
      const below = seededBelow(bitDepth);
      const { samples, check } = drawPlane(bitDepth, below);
      for (const size of SIZES.filter((each) => Math.max(...each) <= 5)) {
        for (let k = 0; k < rounds * FILTER_MODES; k++) {
          compare(samples, bitDepth, size, { mode: 0, angleDelta: 0, filterMode: k % FILTER_MODES }, below);
        }
      }
      check();
    });
  }
}
