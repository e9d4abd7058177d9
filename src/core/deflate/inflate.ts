import { RUN_CORRUPT, RUN_END, RUN_NEEDS_INPUT } from '../../../wasm/assembly/inflate/constants.ts';
import { decodingFault, Fault, OutOfMemoryFault } from '../../faults.ts';
import type { Core } from '../instance.ts';
import { coreConstant } from '../sizes.ts';

/** Memory that one stream takes in a core, in bytes. */
export const inflateStreamBytes = coreConstant((exports) => exports.inflateBytes());

/**
 * One inflate stream inside a core: about 150 KB, freed with the core or by releasing to a mark taken before
 * it.
 */
export class InflateStream {
  readonly #core: Core;
  readonly #stream: number;
  readonly #input: Iterator<Uint8Array>;
  /** The rest of the piece of input last pulled. */
  #piece: Uint8Array = new Uint8Array(0);
  #ended = false;

  /**
   * @param wrapper the format, or a stream to clone; `input` must then be at the same position as that
   * stream's input
   * @throws Fault 'limit' when the core has no memory for it
   */
  constructor(core: Core, input: Iterable<Uint8Array>, wrapper: 'zlib' | 'raw' | InflateStream) {
    this.#core = core;
    this.#input = input[Symbol.iterator]();
    if (wrapper instanceof InflateStream) {
      this.#stream = core.exports.inflateClone(wrapper.#stream) >>> 0;
      this.#piece = wrapper.#piece;
      this.#ended = wrapper.#ended;
    } else {
      this.#stream = core.exports.inflateOpen(wrapper === 'zlib' ? 1 : 0) >>> 0;
    }
    if (this.#stream === 0) throw new OutOfMemoryFault('There is no memory left to decompress this image');
  }

  /**
   * Writes the next `length` inflated bytes to `address` in the core.
   * @returns how many were written; fewer if the stream ended
   * @throws Fault 'decoding' for corrupt data or input that ends early, once everything before it was read
   */
  copyTo(address: number, length: number): number {
    let done = 0;
    while (true) {
      done += this.#core.exports.inflateCopy(this.#stream, address + done, length - done);
      if (done === length || !this.#run()) return done;
    }
  }

  /** As `copyTo`, into any bytes. */
  read(into: Uint8Array): number {
    return this.#readWhile(into, () => this.#run());
  }

  /** As `read`, but corrupt data, or input that ends early, ends the stream. */
  readSound(into: Uint8Array): number {
    return this.#readWhile(into, () => this.#runOrEnd());
  }

  #readWhile(into: Uint8Array, run: () => boolean): number {
    const { exports } = this.#core;
    let done = 0;
    while (true) {
      const count = Math.min(into.length - done, exports.inflateReady(this.#stream));
      if (count > 0) {
        into.set(this.#core.view(exports.inflateOutput(this.#stream), count), done);
        exports.inflateTake(this.#stream, count);
        done += count;
      }
      if (done === into.length || !run()) return done;
    }
  }

  /** As `copyTo`, but discards the bytes; after a fault `skipped` is how many there were. */
  skip(length: number): number {
    const { exports } = this.#core;
    this.skipped = 0;
    while (true) {
      const count = Math.min(length - this.skipped, exports.inflateReady(this.#stream));
      exports.inflateTake(this.#stream, count);
      this.skipped += count;
      if (this.skipped === length || !this.#run()) return this.skipped;
    }
  }

  /** Bytes that the last `skip` discarded. */
  skipped = 0;

  /** Ends reading, and returns the input's iterator. */
  close(): void {
    this.#ended = true;
    this.#input.return?.();
  }

  /** Produces output. @returns false if there is no more */
  #run(): boolean {
    const { exports } = this.#core;
    while (!this.#ended) {
      const result = exports.inflateRun(this.#stream);
      if (result === RUN_CORRUPT && exports.inflateReady(this.#stream) === 0) {
        throw decodingFault('The compressed data is corrupt');
      }
      if (result === RUN_END) this.#ended = true;
      if (exports.inflateReady(this.#stream) > 0) return true;
      if (result === RUN_NEEDS_INPUT) this.#feed();
    }
    return false;
  }

  /** As `#run`, but a fault of the data ends the stream. */
  #runOrEnd(): boolean {
    try {
      return this.#run();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#ended = true;
      return false;
    }
  }

  #feed(): void {
    while (this.#piece.length === 0) {
      const pulled = this.#input.next();
      if (pulled.done) throw decodingFault('The compressed data ends early');
      this.#piece = pulled.value;
    }
    const { exports } = this.#core;
    const count = Math.min(this.#piece.length, exports.inflateInputBytes());
    this.#core.view(exports.inflateInput(this.#stream) >>> 0, count).set(this.#piece.subarray(0, count));
    exports.inflateFeed(this.#stream, count);
    this.#piece = this.#piece.subarray(count);
  }
}
