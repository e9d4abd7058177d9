import module from './build/core.wasm';
import type { CoreExports } from './exports.ts';
import { INITIAL_PAGES, isolateMemories, PAGE_BYTES } from './memories.ts';

/**
 * One instance of the image core: one job's memory. WASM memory never shrinks and is collected late, so the memory goes from
 * job to job (memories.ts), but the instance, its globals and its static data are new for each.
 *
 * Disposing gives the memory back, after an error inside the core, too: every view of it is then empty, and every use of the
 * core throws. A core that is only dropped is collected some day.
 */
export interface Core extends Disposable {
  readonly exports: CoreExports;
  /** A view of `length` bytes at `at`. Valid until the next `alloc`, which may move the memory: take it again after. */
  view(at: number, length: number): Uint8Array<ArrayBuffer>;
  /**
   * Reserves `bytes` in the core.
   * @throws RangeError when the memory cannot grow that far
   */
  alloc(bytes: number): number;
  /** Given back: nothing may use it any more. */
  readonly disposed: boolean;
  /** Bytes of linear memory that this core has needed, in whole pages: what its job is counted for. Stays known when disposed. */
  readonly heldBytes: number;
}

/**
 * Makes a core. Costs some tens of microseconds: the module is compiled once, by the runtime.
 * @param expectedBytes that it will probably need, so that a memory of that size is found
 */
export function createCore(expectedBytes = 0): Core {
  const memory = isolateMemories.take(expectedBytes);
  const instance = new WebAssembly.Instance(module, { env: { memory } });
  let exports: CoreExports | undefined = instance.exports as unknown as CoreExports;
  let known: ArrayBuffer | undefined;
  let heldAtEnd = 0;
  const core: Core = {
    get exports() {
      if (!exports) throw new Error('This core was given back: nothing may use it any more');
      return exports;
    },
    view(at, length) {
      const { buffer } = core.exports.memory;
      if (buffer !== known) {
        known = buffer;
        owners.set(buffer, core);
        isolateMemories.keepLimit();
      }
      return new Uint8Array(buffer, at, length);
    },
    alloc(bytes) {
      const at = core.exports.alloc(bytes) >>> 0;
      if (at === 0) throw new RangeError(`The image core could not reserve ${bytes} bytes`);
      return at;
    },
    get disposed() {
      return exports === undefined;
    },
    get heldBytes() {
      const peak = exports ? exports.peakBytes() >>> 0 : heldAtEnd;
      return Math.max(INITIAL_PAGES, Math.ceil(peak / PAGE_BYTES)) * PAGE_BYTES;
    },
    [Symbol.dispose]() {
      if (!exports) return;
      heldAtEnd = core.heldBytes;
      exports = undefined;
      isolateMemories.giveBack(memory, heldAtEnd);
    },
  };
  return core;
}

const owners = new WeakMap<ArrayBufferLike, Core>();

/** The core in whose memory these bytes lie, for kernels that work in place; undefined when they lie elsewhere. */
export function coreHolding(bytes: Uint8Array): Core | undefined {
  return owners.get(bytes.buffer);
}

/** Bytes that live in a core's own memory, e.g. a request body read straight into it. */
export interface Residence {
  readonly core: Core;
  readonly at: number;
  readonly length: number;
}

const residences = new WeakMap<Uint8Array, Residence>();

/**
 * Reserves `length` bytes in the core for a file and remembers where: codecs given this very view (not a subarray of it)
 * read the file in place, even when the memory has grown since and the view itself is detached.
 * @throws RangeError when the memory cannot grow that far
 */
export function allocResident(core: Core, length: number): Uint8Array<ArrayBuffer> {
  return residentAt(core, core.alloc(length), length);
}

/** As `allocResident`, of bytes that were reserved before. */
export function residentAt(core: Core, at: number, length: number): Uint8Array<ArrayBuffer> {
  const view = core.view(at, length);
  residences.set(view, { core, at, length });
  return view;
}

/** Where bytes made by `allocResident` live; undefined for all others. */
export function residenceOf(bytes: Uint8Array): Residence | undefined {
  return residences.get(bytes);
}
