import { expect, it } from 'vitest';
import type { Decoder } from '../../src/codecs/types.ts';
import { Fault } from '../../src/faults.ts';
import { totalBytes } from '../../src/memory/memory_cost.ts';
import type { FileFacts } from '../../src/metadata/facts.ts';
import { heldBytesOf } from '../fixtures/held_bytes.ts';
import { mutate } from '../fixtures/mutations.ts';
import { seededBelow } from '../fixtures/random.ts';
import { stripsOf } from '../fixtures/raster.ts';

/** Mutated files of one suite: in the quick lane, and in the slow one. */
export const QUICK_MUTANTS = 1000;
export const ALL_MUTANTS = 20_000;

export interface FuzzPlan {
  readonly decoder: Decoder;
  readonly seeds: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  /** Mutated files in total, shared out among the seeds. */
  readonly count: number;
  readonly seed: number;
  /** Every so many files, one that could be read is read again in bands of columns. Absent: none is. */
  readonly columnsEvery?: number;
  /** What the header scan would say of these bytes; undefined when it would refuse them. */
  factsOf(bytes: Uint8Array): FileFacts | undefined;
}

/**
 * Larger images than this are opened but not read: the budget of a real deployment would refuse most of them.
 */
const MAX_PIXELS = 1 << 20;
const MAX_COST = 64 * 1024 * 1024;

/**
 * Files between two turns of the event loop. What a refused file drops is collected at a turn only, and a
 * whole-frame codec drops 17 MB: without turns a run of 20,000 files took 23 GB.
 */
const FILES_A_TURN = 16;

export const TRAPPED = /could not make sense of it/;

/**
 * Every mutated file is read in full or refused with a Fault; nothing else may come out, and no strip
 * outgrows the cost.
 */
export function fuzzDecoder({ decoder, seeds, count, seed, columnsEvery, factsOf }: FuzzPlan): void {
  const of = seeds.length === 1 ? ` made of ${seeds[0]!.name}` : '';
  it(`survives ${count} mutated ${decoder.format} files${of}`, async () => {
    const random = seededBelow(seed);
    let read = 0;
    let refused = 0;
    for (let turn = 0; turn < count; turn++) {
      if (turn % FILES_A_TURN === 0) await new Promise((resolve) => setTimeout(resolve, 0));
      const origin = seeds[turn % seeds.length]!;
      const bytes = mutate(origin.bytes, random);
      const facts = factsOf(bytes);
      if (facts === undefined) continue;
      const name = `mutant ${turn} of ${origin.name}`;
      try {
        const cost = totalBytes(decoder.cost(facts, {}));
        using raster = await decoder.open(bytes, facts, {});
        if (raster.width * raster.height > MAX_PIXELS || cost > MAX_COST) continue;
        let y = 0;
        for (const strip of stripsOf(raster)) {
          if (strip.rows < 1 || strip.y !== y || strip.pixels.length !== strip.rows * raster.width * 4) {
            expect.fail(`${name}: a strip of ${strip.rows} rows at ${strip.y} where row ${y} was due`);
          }
          if (heldBytesOf(raster, strip) > cost)
            expect.fail(`${name}: a strip outgrew the predicted ${cost}`);
          y += strip.rows;
        }
        if (y !== raster.height) expect.fail(`${name}: ${y} rows of ${raster.height}`);
        read++;
        if (columnsEvery && turn % columnsEvery === 0) await readColumns(decoder, bytes, facts);
      } catch (error) {
        // A trap of the core becomes this fault: harmless, but a defect of the decoder.
        if (error instanceof Fault && TRAPPED.test(error.message))
          expect.fail(`${name} (${hex(bytes)}): trapped`);
        if (!(error instanceof Fault)) throw new Error(`${name} (${hex(bytes)})`, { cause: error });
        refused++;
      }
    }
    // Both ends of the bargain were tried.
    expect(read).toBeGreaterThan(count / 100);
    expect(refused).toBeGreaterThan(count / 100);
  });
}

/** What could be read as a whole can be read in bands, too, of other columns at each reading. */
async function readColumns(decoder: Decoder, bytes: Uint8Array, facts: FileFacts): Promise<void> {
  const half = facts.width >> 1;
  const columnBands = [
    { x: 0, width: half },
    { x: half, width: facts.width - half },
  ].filter(({ width }) => width > 0);
  using raster = await decoder.open(bytes, facts, { columnBands });
  for (const { x, width } of [...columnBands, ...columnBands]) {
    let rows = 0;
    for (const strip of stripsOf(raster.columns!(x, width))) rows += strip.rows;
    if (rows !== facts.height) throw new Error(`${rows} rows of ${facts.height} in columns from ${x}`);
  }
}

const hex = (bytes: Uint8Array) =>
  [...bytes.subarray(0, 400)].map((value) => value.toString(16).padStart(2, '0')).join('');
