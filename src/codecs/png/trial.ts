import type { Core } from '../../core/instance.ts';
import type { Work } from '../../scheduling/work.ts';
import { type Deflater, openDeflater, type Tuning } from './deflate.ts';
import type { RowBlock } from './row_block.ts';

/** A way to compress rows. */
interface Method {
  readonly tuning: Tuning;
  /** Each row by the filter that fits best, or none at all. */
  readonly adaptive: boolean;
}

/** Noise and photographs: residuals without repetition. */
const RUNS: Method = { tuning: 'runs', adaptive: true };
/** Smooth or enlarged pictures, pixelated ones, traces of JPEG blocks: residuals that repeat. */
const QUICK: Method = { tuning: 'quick', adaptive: true };
/** Text, drawings, palettes: pixels that repeat exactly, which filters would hide. */
const CHEAPEST: Method = { tuning: 'cheapest', adaptive: false };

export const FIRST_METHOD = RUNS;

/** Bytes of rows that are compressed each way. */
const TRIAL_BYTES = 32_768;

/** The share of its length to which a slower method must shrink a trial to be worth its time. */
const QUICK_WORTH = 0.97;

/**
 * The cheapest way is tried by the quick one, which is a fifteenth longer or so; and a trial sees few rows,
 * and so fewer far matches than the whole image has: it is chosen even where its trial is this much longer.
 */
const CHEAPEST_WORTH = 1.15;

/** Rows that shrink to this much are nearly empty and tell nothing of others: some elsewhere are tried. */
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
   * Compresses some rows in the middle of the block each way, and some at its end and start where those
   * before are nearly empty. Depends on nothing but the block's rows and the one above. Yields its work: a
   * row may be long.
   */
  *bestMethod(block: RowBlock): Generator<Work, Method, void> {
    // Filters find nothing where samples share bytes, and such rows are short.
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
