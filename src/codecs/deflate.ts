import { constants, createDeflate, type ZlibOptions } from 'node:zlib';

/**
 * How hard to look for repetition. `runs`: only of the byte before; `quick`: recent matches, with little effort;
 * `thorough`: the best match within 32 KB that zlib's own middle level finds.
 */
export type Tuning = 'runs' | 'quick' | 'thorough';

export const TUNINGS: Readonly<Record<Tuning, { readonly level: number; readonly strategy: number }>> = {
  runs: { level: 1, strategy: constants.Z_RLE },
  quick: { level: 1, strategy: constants.Z_DEFAULT_STRATEGY },
  thorough: { level: 6, strategy: constants.Z_DEFAULT_STRATEGY },
};

/** Largest hash and symbol buffers: blocks of 32 K symbols. */
export const MEMORY_LEVEL = 9;

/**
 * What compressing holds outside this code: zlib's windows and hash tables (zconf.h: 2^(15+2) + 2^(9+9) bytes) twice, for
 * a stream and a trial beside it, and output in pieces.
 */
export const DEFLATER_BYTES = 1_048_576;

const CHUNK_BYTES = 65_536;

/** Deflates to the zlib format (RFC 1950) by the runtime's native code. One call at a time. */
export interface Deflater extends Disposable {
  /** Compresses `bytes`, which must not change until it is done. @throws whatever the sink threw */
  write(bytes: Uint8Array): Promise<void>;
  /** Changes the tuning for what follows. */
  tune(tuning: Tuning): Promise<void>;
  /** Ends the stream. @throws whatever the sink threw */
  finish(): Promise<void>;
}

/** @param sink takes each piece of output as it is made; a piece stays unchanged */
export function openDeflater(tuning: Tuning, sink: (piece: Uint8Array) => void): Deflater {
  const options: ZlibOptions = { ...TUNINGS[tuning], memLevel: MEMORY_LEVEL, chunkSize: CHUNK_BYTES };
  const stream = createDeflate(options);
  let failure: { readonly error: unknown } | undefined;
  let current = tuning;

  // An error thrown inside an event would escape every caller: keep it for the call that is waiting.
  stream.on('data', (piece: Uint8Array) => {
    if (failure) return;
    try {
      sink(piece);
    } catch (error) {
      failure = { error };
    }
  });
  stream.on('error', (error) => {
    failure ??= { error };
  });

  async function settled(start: (done: (error?: Error | null) => void) => void): Promise<void> {
    if (!failure) {
      await new Promise<void>((resolve, reject) => {
        start((error) => (error ? reject(error) : resolve()));
      });
    }
    if (failure) throw failure.error;
  }

  return {
    write: (bytes) => settled((done) => stream.write(bytes, done)),
    async tune(next) {
      if (next === current) return;
      current = next;
      const { level, strategy } = TUNINGS[next];
      await settled((done) => stream.params(level, strategy, done));
    },
    finish: () =>
      settled((done) => {
        stream.once('end', () => done());
        stream.once('error', done);
        stream.end();
      }),
    [Symbol.dispose]() {
      stream.destroy();
    },
  };
}
