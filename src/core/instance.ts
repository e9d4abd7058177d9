import module from '../../dist/core.wasm';
import { limitFault } from '../faults.ts';
import type { CoreExports } from './exports.ts';
import { INITIAL_PAGES, isolateMemoryPool, PAGE_BYTES } from './memory_pool.ts';

/**
 * One instance of the image core: one job's memory. WASM memory never shrinks and is collected late, so the
 * memory goes from job to job (memories.ts), but the instance, its globals and its static data are new for
 * each.
 *
 * Disposing gives the memory back, after an error inside the core, too: every view of it is then empty, and
 * every use of the core throws. A core that is only dropped is collected some day.
 */
export interface Core extends Disposable {
  readonly exports: CoreExports;
  /**
   * A view of `length` bytes at `at`. Valid until the next `alloc`, which may move the memory: take it again
   * after.
   */
  view(at: number, length: number): Uint8Array<ArrayBuffer>;
  /**
   * Reserves `bytes` in the core.
   * @throws Fault 'limit' when the memory cannot grow that far
   */
  alloc(bytes: number): number;
  /**
   * Opens a region: what is reserved from now on and before the next one is opened belongs to it. Disposing
   * frees it as soon as those opened after it are disposed of, too; the order is free.
   */
  region(): Disposable;
  /**
   * Takes what the core emits, e.g. pieces of a file being written; each is valid during the call only. May
   * throw.
   */
  sink: ((piece: Uint8Array<ArrayBuffer>) => void) | undefined;
  /** Given back: nothing may use it any more. */
  readonly disposed: boolean;
  /**
   * Bytes of linear memory that this core has needed, in whole pages: what its job is counted for. Stays
   * known when disposed.
   */
  readonly heldBytes: number;
  /** Bytes of the memory that it lies in, needed or not: what it keeps from others. 0 when disposed. */
  readonly memoryBytes: number;
}

/**
 * Makes a core. Costs some tens of microseconds: the module is compiled once, by the runtime.
 * @param expectedBytes that it will probably need, so that a memory of that size is found
 */
export function createCore(expectedBytes = 0): Core {
  const memory = isolateMemoryPool.take(expectedBytes);
  const emit = (at: number, bytes: number) => {
    if (!core.sink) throw new Error('The image core emitted bytes that nobody takes');
    core.sink(core.view(at >>> 0, bytes >>> 0));
  };
  const instance = new WebAssembly.Instance(module, { env: { memory, emit } });
  let exports: CoreExports | undefined = instance.exports as unknown as CoreExports;
  let known: ArrayBuffer | undefined;
  let heldAtEnd = 0;
  const regions: { readonly start: number; open: boolean }[] = [];
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
        isolateMemoryPool.keepLimit();
      }
      return new Uint8Array(buffer, at, length);
    },
    alloc(bytes) {
      const at = core.exports.alloc(bytes) >>> 0;
      if (at === 0) throw noCoreMemory();
      return at;
    },
    region() {
      const region = { start: core.exports.mark() >>> 0, open: true };
      regions.push(region);
      return {
        [Symbol.dispose]() {
          region.open = false;
          while (exports && regions.at(-1)?.open === false) exports.release(regions.pop()!.start);
        },
      };
    },
    sink: undefined,
    get disposed() {
      return exports === undefined;
    },
    get heldBytes() {
      const peak = exports ? exports.peakBytes() >>> 0 : heldAtEnd;
      return Math.max(INITIAL_PAGES, Math.ceil(peak / PAGE_BYTES)) * PAGE_BYTES;
    },
    get memoryBytes() {
      return exports ? memory.buffer.byteLength : 0;
    },
    [Symbol.dispose]() {
      if (!exports) return;
      heldAtEnd = core.heldBytes;
      exports = undefined;
      core.sink = undefined;
      isolateMemoryPool.giveBack(memory, heldAtEnd);
    },
  };
  return core;
}

/** The memory cannot grow as far as this image needs it to. */
export const noCoreMemory = () => limitFault('There is no memory left to process this image');

const owners = new WeakMap<ArrayBufferLike, Core>();

/**
 * The core in whose memory these bytes lie, for kernels that work in place; undefined when they lie
 * elsewhere.
 */
export function coreHolding(bytes: Uint8Array): Core | undefined {
  return owners.get(bytes.buffer);
}

/**
 * Where these bytes are in the core: at their own address if they lie there, else at `staging`, where a copy
 * is put.
 */
export function addressIn(core: Core, bytes: Uint8Array, staging: number): number {
  if (coreHolding(bytes) === core) return bytes.byteOffset;
  core.view(staging, bytes.length).set(bytes);
  return staging;
}

/** Bytes that live in a core's own memory, e.g. a request body read straight into it. */
export interface CoreAllocation {
  readonly core: Core;
  readonly at: number;
  readonly length: number;
}

const residences = new WeakMap<Uint8Array, CoreAllocation>();

/**
 * Reserves `length` bytes in the core for a file and remembers where: codecs given this very view (not a
 * subarray of it) read the file in place, even when the memory has grown since and the view itself is
 * detached.
 * @throws Fault 'limit' when the memory cannot grow that far
 */
export function allocateInCore(core: Core, length: number): Uint8Array<ArrayBuffer> {
  return coreAllocationAt(core, core.alloc(length), length);
}

/** As `allocateInCore`, of bytes that were reserved before. */
export function coreAllocationAt(core: Core, at: number, length: number): Uint8Array<ArrayBuffer> {
  const view = core.view(at, length);
  residences.set(view, { core, at, length });
  return view;
}

/**
 * Jobs need somewhat less than is predicted for them: a memory of such a job has so much of that at the
 * least.
 */
const ENOUGH = 0.7;

/**
 * Moves bytes made by `allocateInCore` to a memory that waits to be used again and has room for the whole
 * job, where their own would have to grow: it costs a millisecond for 10 MB, while a memory that is dropped
 * because another has grown is collected late. Nothing else may lie in their core, which is given back. Their
 * view is empty then; `coreAllocationOf` tells where they are.
 * @param expectedBytes that the core will need in all
 */
export function moveToRoomier(bytes: Uint8Array, expectedBytes: number): void {
  const residence = residences.get(bytes);
  const enough = expectedBytes * ENOUGH;
  if (!residence || residence.core.memoryBytes >= enough || !isolateMemoryPool.hasIdle(enough)) return;
  const { core, at, length } = residence;
  const roomier = createCore(expectedBytes);
  const place = roomier.exports.alloc(length) >>> 0;
  if (place === 0) {
    roomier[Symbol.dispose]();
    return;
  }
  roomier.view(place, length).set(core.view(at, length));
  residences.set(bytes, { core: roomier, at: place, length });
  core[Symbol.dispose]();
}

/** Where bytes made by `allocateInCore` live; undefined for all others. */
export function coreAllocationOf(bytes: Uint8Array): CoreAllocation | undefined {
  return residences.get(bytes);
}
