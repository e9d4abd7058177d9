import {
  DeflateStream,
  deflateStreamBytes,
  type PixelRows,
  type Tuning,
} from '../../core/deflate/deflate.ts';
import type { Core } from '../../core/instance.ts';
import { scratchBytes } from '../../core/sizes.ts';
import type { Work } from '../../scheduling/work.ts';

export type { PixelRows, Tuning };

/** Work of a byte beyond that of its pixel. Trials choose the tuning while the file is written. */
const DEFLATING_WORK: Readonly<Record<Tuning, Work>> = { runs: 0.05, residuals: 0.2, cheapest: 0.4 };

/** Bytes that a deflater reserves in the core, exactly. */
export const deflaterBytes = () => scratchBytes([deflateStreamBytes()]);

/** Deflates to the zlib format (RFC 1950) in the image core. */
export interface Deflater extends Disposable {
  /** How hard it searches for matches from now on. */
  tuning: Tuning;
  /**
   * Compresses a copy of `bytes`, and yields the work that its rows have not counted.
   * @throws whatever the sink threw; the stream is then unusable
   */
  writing(bytes: Uint8Array): Generator<Work, void, void>;
  /** Ends the stream. @throws whatever the sink threw */
  finish(): void;
  /** Drops the stream and begins another. @param rows the shape of its rows */
  restart(rows?: PixelRows): void;
}

/**
 * @param sink takes each piece of output; a piece is valid during the call only
 * @param core to work in
 * @throws Fault 'limit' when the memory cannot grow that far
 */
export function openDeflater(tuning: Tuning, sink: (piece: Uint8Array) => void, core: Core): Deflater {
  const region = core.region();
  let stream: DeflateStream;
  try {
    stream = new DeflateStream(core, sink);
  } catch (error) {
    region[Symbol.dispose]();
    throw error;
  }
  return {
    tuning,
    *writing(bytes) {
      for (const part of stream.writing(bytes, this.tuning)) yield part * DEFLATING_WORK[this.tuning];
    },
    finish() {
      stream.finish(this.tuning);
    },
    restart: (rows) => stream.restart(rows),
    [Symbol.dispose]: () => region[Symbol.dispose](),
  };
}
