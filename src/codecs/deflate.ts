import { createCore } from '../../wasm/core.ts';
import { DeflateStream, deflateStreamBytes, type Tuning } from '../../wasm/deflate.ts';
import { heldBytesFor } from '../../wasm/footprint.ts';

export type { Tuning };

/** What a deflater holds, in bytes; exact. */
export const deflaterBytes = () => heldBytesFor([deflateStreamBytes()]);

/** Deflates to the zlib format (RFC 1950) in the image core. */
export interface Deflater extends Disposable {
  /** How hard it looks from now on. */
  tuning: Tuning;
  /** Compresses a copy of `bytes`. @throws whatever the sink threw; the stream is then of no use any more */
  write(bytes: Uint8Array): void;
  /** Ends the stream. @throws whatever the sink threw */
  finish(): void;
  /** Forgets the stream and begins another. */
  restart(): void;
}

/** @param sink takes each piece of output as it is made; a piece is valid during the call only */
export function openDeflater(tuning: Tuning, sink: (piece: Uint8Array) => void): Deflater {
  const core = createCore(deflaterBytes());
  let stream: DeflateStream;
  try {
    stream = new DeflateStream(core, sink);
  } catch (error) {
    core[Symbol.dispose]();
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
    [Symbol.dispose]: () => core[Symbol.dispose](),
  };
}
