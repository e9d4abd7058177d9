import { decodingFault, type Fault, OutOfMemoryFault } from '../faults.ts';
import type { Core } from './instance.ts';

/**
 * Guards the calls of a decoder inside a core. After a fault the decoder's state is meaningless, so no
 * further call reaches it.
 */
export class Guarded {
  readonly core: Core;
  readonly #what: string;
  readonly #format: string;
  #isDropped = false;
  #readings = 0;

  /**
   * @param what is decoded, for messages: "JPEG file"
   * @param format of the file, for messages: "JPEG"
   */
  constructor(core: Core, what: string, format: string) {
    this.core = core;
    this.#what = what;
    this.#format = format;
  }

  /**
   * Runs a call of the core. A trap (which no input should cause) counts as the file's fault, not the
   * service's; memory that can't grow counts as a limit.
   */
  run<T>(call: () => T): T {
    if (this.#isDropped) throw new Error(`This ${this.#what} was dropped after a fault`);
    if (this.core.disposed) throw new Error(`This ${this.#what} was closed`);
    try {
      return call();
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) {
        throw this.drop(
          decodingFault(`The ${this.#format} data is corrupt: the decoder could not make sense of it`),
        );
      }
      throw error instanceof RangeError
        ? this.drop(new OutOfMemoryFault(`There is no memory left to read this ${this.#format}`))
        : error;
    }
  }

  /** Drops the decoder: nothing can be run afterwards. @returns the fault */
  drop(fault: Fault): Fault {
    this.#isDropped = true;
    return fault;
  }

  /** Begins a read, which ends the one before it. @returns `run` for its calls */
  reading(): <T>(call: () => T) => T {
    this.#readings += 1;
    const reading = this.#readings;
    return (call) => {
      if (reading !== this.#readings) throw new Error('This reading ended when another one began');
      return this.run(call);
    };
  }
}
