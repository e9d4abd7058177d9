import type { Core } from '../../core/instance.ts';
import type { Work } from '../../scheduling/work.ts';
import { type Deflater, openDeflater, type Tuning } from './deflate.ts';
import type { RowBlock, RowFilter } from './row_block.ts';

/** A way to compress rows. */
interface Method {
  readonly tuning: Tuning;
  readonly filter: RowFilter;
}

/** Noise, and photographs full of it: residuals without repetition. */
const RUNS: Method = { tuning: 'runs', filter: 'best' };
/** Smooth, enlarged or pixelated pictures, most photographs: residuals that repeat. */
const RESIDUALS: Method = { tuning: 'residuals', filter: 'best' };
/** Photographs that were resampled: their residuals repeat more often if all rows have one smooth filter. */
const AVERAGE: Method = { tuning: 'residuals', filter: 'average' };
/** Text, drawings, palettes: pixels that repeat exactly, which filters would hide. */
const CHEAPEST: Method = { tuning: 'cheapest', filter: 'none' };

export const FIRST_METHOD = RUNS;

/** Bytes of rows that each method compresses in a trial. */
const TRIAL_BYTES = 32_768;

/**
 * Residuals are chosen if they shrink a trial to this share of its length by runs, which take a third of the
 * time; the average filter, if to this share of that by the best filters. A trial has few rows, so fewer
 * matches than the whole image: there, residuals gain 0.015 more.
 */
const RESIDUALS_WORTH = 0.998;
const AVERAGE_WORTH = 0.997;

/** AVERAGE is tried only where it is at most this much longer than the best filters, both by runs. */
const AVERAGE_HOPE = 1.04;

/** CHEAPEST is chosen even if its trial is this much longer: it lives on far matches, which a trial lacks. */
const CHEAPEST_WORTH = 1.08;

/** Rows that shrink to this are nearly empty and say nothing about others: rows elsewhere are tried, too. */
const EMPTY_BYTES = 256;

/** Tries the methods on rows of the image. */
export class Trial implements Disposable {
  #length = 0;
  readonly #deflater: Deflater;

  /** @param core to work in */
  constructor(core: Core) {
    const count = (piece: Uint8Array) => {
      this.#length += piece.length;
    };
    this.#deflater = openDeflater('runs', count, core);
  }

  /**
   * Compresses some rows in the middle of the block by each method. If they are nearly empty, it does the
   * same with rows at the block's end, then at its start. The result depends only on the block's rows and the
   * row above. Yields its work, since a row may be long.
   */
  *bestMethod(block: RowBlock): Generator<Work, Method, void> {
    // Filters gain nothing if samples share bytes, and such rows are short.
    if (block.depth < 8) return CHEAPEST;
    const rows = Math.max(1, Math.min(block.rows, Math.floor(TRIAL_BYTES / block.rowBytes)));
    const last = block.rows - rows;
    let [runs, residuals, plain, average] = [0, 0, 0, 0];
    for (const from of new Set([last >> 1, last, 0])) {
      const best = block.filtered('best', from, from + rows);
      const byRuns = yield* this.#lengthOf(best, 'runs');
      runs += byRuns;
      residuals += yield* this.#lengthOf(best, 'residuals');
      const averaged = block.filtered('average', from, from + rows);
      const averageByRuns = yield* this.#lengthOf(averaged, 'runs');
      const isHoped = averageByRuns < byRuns * AVERAGE_HOPE;
      average += isHoped ? yield* this.#lengthOf(averaged, 'residuals') : averageByRuns;
      plain += yield* this.#lengthOf(block.filtered('none', from, from + rows), 'residuals');
      if (Math.min(runs, residuals, plain) > EMPTY_BYTES) break;
    }
    const best = Math.min(runs, residuals);
    if (plain < best * CHEAPEST_WORTH) return CHEAPEST;
    if (average < best * AVERAGE_WORTH) return AVERAGE;
    return residuals < runs * RESIDUALS_WORTH ? RESIDUALS : RUNS;
  }

  [Symbol.dispose](): void {
    this.#deflater[Symbol.dispose]();
  }

  *#lengthOf(filtered: Uint8Array, tuning: Tuning): Generator<Work, number, void> {
    this.#length = 0;
    this.#deflater.restart();
    this.#deflater.tuning = tuning;
    yield* this.#deflater.writing(filtered);
    this.#deflater.finish();
    return this.#length;
  }
}
