import { DeflateStream, deflateStreamBytes, type Tuning } from '../../core/deflate.ts';
import type { Core } from '../../core/instance.ts';
import { scratchBytes } from '../../core/sizes.ts';

export type { Tuning };

/** What a deflater reserves in the core, in bytes; exact. */
export const deflaterBytes = () => scratchBytes([deflateStreamBytes()]);

/** Deflates to the zlib format (RFC 1950) in the image core. */
export interface Deflater extends Disposable {
  /** How hard it searches for matches from now on. */
  tuning: Tuning;
  /** Compresses a copy of `bytes`. @throws whatever the sink threw; the stream is then of no use any more */
  write(bytes: Uint8Array): void;
  /** Ends the stream. @throws whatever the sink threw */
  finish(): void;
  /** Forgets the stream and begins another. */
  restart(): void;
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
    write(bytes) {
      stream.write(bytes, this.tuning);
    },
    finish() {
      stream.finish(this.tuning);
    },
    restart: () => stream.restart(),
    [Symbol.dispose]: () => region[Symbol.dispose](),
  };
}
