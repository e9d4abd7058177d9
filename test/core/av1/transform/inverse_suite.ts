import { expect, it } from 'vitest';
import { createCore } from '../../../../src/core/instance.ts';
import { seededBelow } from '../../../fixtures/random.ts';
import { firstDifference } from '../first_difference.ts';
import { addResidual, inverseTransform, TX_SIZES, TX_TYPES } from './reference.ts';

/** Samples beside a block that must stay as they are. */
const MARGIN = 8;

const core = createCore();
const coefficients = core.alloc(32 * 32 * 4);
const planeSide = 64 + 2 * MARGIN;
const plane = core.alloc(planeSide * planeSide * 2);

type Below = (below: number) => number;

/** How coefficients are drawn; each returns one of them, given the most that is legal. */
const DRAWS: Record<string, (below: Below, most: number) => number> = {
  small: (below) => below(41) - 20,
  usual: (below, most) => Math.trunc(((below(2001) - 1000) * most) / 40_000),
  /** As many as fill 16 bits when summed up, now and then more. */
  together: (below) => below(129) - 64 + (below(30) ? 0 : below(16_001) - 8000),
  large: (below, most) => below(2 * most + 2) - most - 1,
  extreme: (below, most) => (below(2) ? most : -most - 1),
  illegal: (below) => below(2 ** 32) - 2 ** 31,
};
const LEGAL = Object.keys(DRAWS).filter((draw) => draw !== 'illegal');

interface Block {
  txSize: number;
  txType: number;
  bitDepth: number;
  lossless?: boolean;
}

interface Coefficients {
  values: Int32Array;
  lastRow: number;
  lastColumn: number;
}

/** Coefficients within rows 0 to `lastRow` and columns 0 to `lastColumn`, both of which have one. */
function drawBlock(block: Block, draw: string, below: Below): Coefficients {
  const [, log2W, log2H] = TX_SIZES[block.txSize]!;
  const [w, h] = [Math.min(32, 1 << log2W), Math.min(32, 1 << log2H)];
  const most = 2 ** (block.bitDepth + 7) - 1;
  const values = new Int32Array(w * h);
  const [rows, columns] = [1 + below(h), 1 + below(w)];
  const count = 1 + below(rows * columns);
  for (let k = 0; k < count; k++) {
    values[below(rows) * w + below(columns)] = DRAWS[draw]!(below, most);
  }
  let [lastRow, lastColumn] = [0, 0];
  values.forEach((value, at) => {
    if (value === 0) return;
    lastRow = Math.max(lastRow, Math.floor(at / w));
    lastColumn = Math.max(lastColumn, at % w);
  });
  return { values, lastRow, lastColumn };
}

const at = (y: number, x: number) => (y + MARGIN) * planeSide + x + MARGIN;

/** Gives the plane random samples; `check` says whether they are as they were, blocks put back. */
function drawPlane(bitDepth: number, below: Below) {
  const samples = new Uint16Array(core.exports.memory.buffer, plane, planeSide * planeSide);
  for (let i = 0; i < samples.length; i++) samples[i] = below(1 << bitDepth);
  const before = samples.slice();
  return { samples, check: () => expect(firstDifference(samples, before)).toBe(-1) };
}

/** Runs the core on the plane's samples, says what they were and became, and puts them back. */
function runCore(samples: Uint16Array, block: Block, { values, lastRow, lastColumn }: Coefficients) {
  const [, log2W, log2H] = TX_SIZES[block.txSize]!;
  const [w, h] = [1 << log2W, 1 << log2H];
  const given = new Int32Array(core.exports.memory.buffer, coefficients, values.length);
  given.set(values);
  const read = () => Array.from({ length: h }, (_, y) => [...samples.subarray(at(y, 0), at(y, w))]);
  const prediction = read();
  const { bitDepth, txSize, txType, lossless } = block;
  core.exports.av1InverseTransform(
    coefficients,
    plane + at(0, 0) * 2,
    planeSide * 2,
    txSize,
    txType,
    lastRow,
    lastColumn,
    bitDepth,
    lossless ? 1 : 0,
  );
  const result = read();
  expect(given.every((value) => value === 0)).toBe(true);
  prediction.forEach((row, y) => {
    samples.set(row, at(y, 0));
  });
  return { prediction, result };
}

/** Compares one block; one that breaks a demand on streams need only stay within its depth. */
function compare(samples: Uint16Array, block: Block, coefficients: Coefficients): boolean {
  const { txSize, txType, bitDepth, lossless = false } = block;
  const { residual, isConformant } = inverseTransform(
    coefficients.values,
    txSize,
    txType,
    bitDepth,
    lossless,
  );
  const { prediction, result } = runCore(samples, block, coefficients);
  if (isConformant) {
    const expected = addResidual(prediction, residual, txType, bitDepth);
    expect(firstDifference(result.flat(), expected.flat())).toBe(-1);
  } else expect(Math.max(...result.flat())).toBeLessThan(2 ** bitDepth);
  return isConformant;
}

/** Types that a size may have: 64 only DCT, 32 also identity (section 5.11.48). */
const typesOf = (txSize: number) => {
  const longest = Math.max(...TX_SIZES[txSize]!.slice(1).map(Number));
  return TX_TYPES.flatMap((_, type) =>
    longest < 5 || type === 0 || (type === 9 && longest === 5) ? [type] : [],
  );
};

/** @param rounds how often each size, type and kind of coefficients is tried */
export function inverseTransformSuite(rounds: number): void {
  for (const bitDepth of [8, 10, 12]) {
    TX_SIZES.forEach(([name], txSize) => {
      it(`${name}, ${bitDepth} bits: all types to the bit`, () => {
        const below = seededBelow(txSize * 100 + bitDepth);
        const { samples, check } = drawPlane(bitDepth, below);
        for (const txType of typesOf(txSize)) {
          const block = { txSize, txType, bitDepth };
          for (const draw of LEGAL) {
            let compared = 0;
            for (let k = 0; k < rounds; k++) {
              if (compare(samples, block, drawBlock(block, draw, below))) compared++;
            }
            if (draw === 'small') expect(compared).toBe(rounds);
          }
        }
        check();
      });
    });

    it(`coefficients that just fill 16 bits, ${bitDepth} bits: all sizes and types`, () => {
      const below = seededBelow(bitDepth + 60);
      const { samples, check } = drawPlane(bitDepth, below);
      for (let txSize = 0; txSize < TX_SIZES.length; txSize++) {
        const [, log2W, log2H] = TX_SIZES[txSize]!;
        const [w, h] = [Math.min(32, 1 << log2W), Math.min(32, 1 << log2H)];
        for (const txType of typesOf(txSize)) {
          for (const total of [5000, 5004, 32_000, 32_004]) {
            const count = 2 ** below(5);
            const isSameSign = below(2) > 0;
            const values = new Int32Array(w * h);
            for (let k = 0; k < count; k++) {
              values[below(h) * w + below(w)]! += (total / count) * (isSameSign || below(2) ? 1 : -1);
            }
            values[0] ||= 1;
            const block = { txSize, txType, bitDepth };
            compare(samples, block, { values, lastRow: h - 1, lastColumn: w - 1 });
          }
        }
      }
      check();
    });

    it(`coefficients that no stream may have, ${bitDepth} bits: no trap, nothing beside, legal samples`, () => {
      const below = seededBelow(bitDepth + 70);
      const { samples, check } = drawPlane(bitDepth, below);
      for (let txSize = 0; txSize < TX_SIZES.length; txSize++) {
        for (const txType of typesOf(txSize)) {
          const block = { txSize, txType, bitDepth, lossless: txSize === 0 && below(2) === 0 };
          const { result } = runCore(samples, block, drawBlock(block, 'illegal', below));
          expect(Math.max(...result.flat())).toBeLessThan(2 ** bitDepth);
        }
      }
      check();
    });

    it(`DC alone, ${bitDepth} bits: all sizes, all kinds of values`, () => {
      const most = 2 ** (bitDepth + 7) - 1;
      const below = seededBelow(bitDepth);
      const { samples, check } = drawPlane(bitDepth, below);
      for (let txSize = 0; txSize < TX_SIZES.length; txSize++) {
        const coded = 2 ** Math.min(10, TX_SIZES[txSize]![1] + TX_SIZES[txSize]![2]);
        for (const dc of [1, -8, 100, -1000, most, -most - 1, below(most)]) {
          const values = new Int32Array(coded);
          values[0] = dc;
          const block = { txSize, txType: 0, bitDepth };
          expect(compare(samples, block, { values, lastRow: 0, lastColumn: 0 })).toBe(true);
        }
      }
      check();
    });

    it(`Walsh–Hadamard, ${bitDepth} bits`, () => {
      const below = seededBelow(bitDepth + 50);
      const { samples, check } = drawPlane(bitDepth, below);
      const block = { txSize: 0, txType: 0, bitDepth, lossless: true };
      for (const draw of LEGAL) {
        for (let k = 0; k < 40; k++) compare(samples, block, drawBlock(block, draw, below));
      }
      check();
    });
  }
}
