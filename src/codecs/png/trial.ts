import type { Core } from '../../core/instance.ts';
import type { Work } from '../../scheduling/work.ts';
import { type Deflater, openDeflater, type Tuning } from './deflate.ts';
import type { RowBlock } from './row_block.ts';

/** A way to compress rows. */
interface Method {
  readonly tuning: Tuning;
  /** Whether each row has the filter that fits it best, or none. */
  readonly adaptive: boolean;
}

/** Noise and photographs: residuals without repetition. */
const RUNS: Method = { tuning: 'runs', adaptive: true };
/** Smooth, enlarged or pixelated pictures, traces of JPEG blocks: residuals that repeat. */
const QUICK: Method = { tuning: 'quick', adaptive: true };
/** Text, drawings, palettes: pixels that repeat exactly, which filters would hide. */
const CHEAPEST: Method = { tuning: 'cheapest', adaptive: false };

export const FIRST_METHOD = RUNS;

/** Bytes of rows that each method compresses in a trial. */
const TRIAL_BYTES = 32_768;

/** A slower method is worth its time if it shrinks a trial to this share of the faster one's length. */
const QUICK_WORTH = 0.97;

/**
 * CHEAPEST is chosen even if its trial is this much longer. The trial uses the quick tuning, whose output is
 * about a fifteenth longer, and it sees few rows, so fewer far matches than the whole image has.
 */
const CHEAPEST_WORTH = 1.15;

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
    let [runs, quick, plain] = [0, 0, 0];
    for (const from of new Set([last >> 1, last, 0])) {
      const adaptive = block.filtered(true, from, from + rows);
      runs += yield* this.#lengthOf(adaptive, 'runs');
      quick += yield* this.#lengthOf(adaptive, 'quick');
      plain += yield* this.#lengthOf(block.filtered(false, from, from + rows), 'quick');
      if (Math.min(runs, quick, plain) > EMPTY_BYTES) break;
    }
    if (plain < Math.min(runs, quick) * CHEAPEST_WORTH) return CHEAPEST;
    return quick < runs * QUICK_WORTH ? QUICK : RUNS;
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
