import module from './build/core.wasm';
import type { CoreExports } from './exports.ts';

/**
 * One instance of the image core: one job's memory. WASM memory never shrinks, so a core is made per job and dropped
 * after it, and after any error inside it.
 */
export interface Core {
  readonly exports: CoreExports;
  /** A view of `length` bytes at `at`. Valid until the next `alloc`, which may move the memory: take it again after. */
  view(at: number, length: number): Uint8Array<ArrayBuffer>;
  /**
   * Reserves `bytes` in the core.
   * @throws RangeError when the memory cannot grow that far
   */
  alloc(bytes: number): number;
  /** Bytes of linear memory held now: what the isolate pays for this core. */
  readonly heldBytes: number;
}

/** Makes a core. Costs some tens of microseconds: the module is compiled once, by the runtime. */
export function createCore(): Core {
  const instance = new WebAssembly.Instance(module, {});
  const exports = instance.exports as unknown as CoreExports;
  let known: ArrayBuffer | undefined;
  const core: Core = {
    exports,
    view(at, length) {
      const { buffer } = exports.memory;
      if (buffer !== known) {
        known = buffer;
        owners.set(buffer, core);
      }
      return new Uint8Array(buffer, at, length);
    },
    alloc(bytes) {
      const at = exports.alloc(bytes) >>> 0;
      if (at === 0) throw new RangeError(`The image core could not reserve ${bytes} bytes`);
      return at;
    },
    get heldBytes() {
      return exports.memory.buffer.byteLength;
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
  const at = core.alloc(length);
  const view = core.view(at, length);
  residences.set(view, { core, at, length });
  return view;
}

/** Where bytes made by `allocResident` live; undefined for all others. */
export function residenceOf(bytes: Uint8Array): Residence | undefined {
  return residences.get(bytes);
}
