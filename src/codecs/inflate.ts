import { InflateStream } from '../core/inflate.ts';
import { createCore } from '../core/instance.ts';

/** Pulls inflated bytes on demand. Holds about 0.2 MB whatever the size of input and output. */
interface Inflater extends Disposable {
  /**
   * Fills `into` from its start as far as the stream goes; fewer bytes than asked means that the stream
   * ended. What follows the stream in the input is not looked at.
   * @throws Fault 'decoding' on corrupt data or input that ends early, once all bytes before it were read
   */
  read(into: Uint8Array): number;
}

/**
 * Inflates RFC 1951 data (`raw`) or RFC 1950 data (`zlib`, its Adler-32 checked). It is the image core's own
 * inflate: rasters are read synchronously, and the runtime offers only asynchronous streams, or all at once.
 * @param input the compressed bytes in pieces of any size, empty ones too; each piece must stay unchanged
 * until the next is pulled
 */
export function openInflater(input: Iterable<Uint8Array>, wrapper: 'zlib' | 'raw'): Inflater {
  const core = createCore();
  const stream = new InflateStream(core, input, wrapper);
  return {
    read: (into) => stream.read(into),
    [Symbol.dispose]() {
      stream.close();
      core[Symbol.dispose]();
    },
  };
}
