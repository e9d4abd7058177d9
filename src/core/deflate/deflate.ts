import {
  RUN_HAS_OUTPUT,
  TUNING_CHEAPEST,
  TUNING_RESIDUALS,
  TUNING_RUNS,
} from '../../../wasm/assembly/deflate/constants.ts';
import { type Core, noCoreMemory } from '../instance.ts';
import { coreConstant } from '../sizes.ts';

/**
 * How hard to search for repetition. `runs`: only repeats of the byte before; `cheapest`: the literals and
 * matches that together take the fewest bits, as far as their costs are known beforehand; `residuals`: the
 * same for filtered rows of photographs, among fewer matches.
 */
export type Tuning = 'runs' | 'residuals' | 'cheapest';

/**
 * The layout of bytes that are rows of pixels: `cheapest` then searches by pixels, and in the row above.
 */
export interface PixelRows {
  /** Bytes of a pixel; 0 if pixels share bytes. */
  readonly pixelBytes: number;
  /** Bytes of a row, including everything before its pixels. */
  readonly rowBytes: number;
}

const NO_ROWS: PixelRows = { pixelBytes: 1, rowBytes: 0 };

const TUNINGS: Readonly<Record<Tuning, number>> = {
  runs: TUNING_RUNS,
  residuals: TUNING_RESIDUALS,
  cheapest: TUNING_CHEAPEST,
};

/** Memory that one stream takes in a core, in bytes. */
export const deflateStreamBytes = coreConstant((exports) => exports.deflateBytes());

/** One stream of RFC 1950 inside a core. */
export class DeflateStream {
  readonly #core: Core;
  readonly #stream: number;
  readonly #sink: (piece: Uint8Array) => void;

  /**
   * @param sink takes each piece of output, which is valid during the call only
   * @throws Fault 'limit' when the core's memory cannot grow that far
   */
  constructor(core: Core, sink: (piece: Uint8Array) => void) {
    this.#core = core;
    this.#sink = sink;
    this.#stream = core.exports.deflateOpen() >>> 0;
    if (this.#stream === 0) throw noCoreMemory();
  }

  /**
   * Copies `bytes` and compresses all but what may begin a match with what follows, part by part. Yields the
   * number of bytes of each part.
   * @throws whatever the sink threw
   */
  *writing(bytes: Uint8Array, tuning: Tuning): Generator<number, void, void> {
    const { exports } = this.#core;
    const most = exports.deflateInputBytes();
    for (let done = 0; done < bytes.length; done += most) {
      const part = bytes.subarray(done, done + most);
      this.#core.view(exports.deflateInput(this.#stream) >>> 0, part.length).set(part);
      exports.deflateFeed(this.#stream, part.length);
      this.#run(tuning, false);
      yield part.length;
    }
  }

  /** Ends the stream. @throws whatever the sink threw */
  finish(tuning: Tuning): void {
    this.#run(tuning, true);
    this.#core.exports.deflateFinish(this.#stream);
    this.#drain();
  }

  /** Begins another stream in the same memory. @param rows the layout of its bytes */
  restart({ pixelBytes, rowBytes } = NO_ROWS): void {
    this.#core.exports.deflateRestart(this.#stream, pixelBytes, rowBytes);
  }

  #run(tuning: Tuning, isEnd: boolean): void {
    const { exports } = this.#core;
    while (exports.deflateRun(this.#stream, TUNINGS[tuning], isEnd ? 1 : 0) === RUN_HAS_OUTPUT) this.#drain();
  }

  #drain(): void {
    const { exports } = this.#core;
    const piece = this.#core.view(
      exports.deflateOutput(this.#stream) >>> 0,
      exports.deflateReady(this.#stream),
    );
    exports.deflateTake(this.#stream);
    this.#sink(piece);
  }
}
