import compiled from '../../dist/core.wasm';
import { OutOfMemoryFault } from '../faults.ts';
import type { CoreExports } from './exports.ts';
import { loadedModule } from './loaded_module.ts';
import { INITIAL_PAGES, isolateMemoryPool, PAGE_BYTES } from './memory_pool.ts';
import { tableExports } from './table_exports.ts';

const code = loadedModule(compiled);
/** Known once the code is. */
let exportsOf: ReturnType<typeof tableExports> | undefined;

/** Loads the image core's code if imports do not bring it. Call it before a job's first `createCore`. */
export const loadCore = code.load;

/** Rows of RGBA inside a core, valid until the next rows of the same read. */
export interface CoreRows {
  readonly y: number;
  readonly rows: number;
  readonly pixels: Uint8Array<ArrayBuffer>;
}

/**
 * One instance of the image core: one job's memory. WASM memory never shrinks and is collected late, so
 * memories are reused by later jobs (memory_pool.ts); the instance, its globals and its static data are new
 * for each job.
 *
 * Disposing returns the memory to the pool, also after an error inside the core: every view of it is then
 * empty, and every use of the core throws.
 */
export interface Core extends Disposable {
  readonly exports: CoreExports;
  /**
   * A view of `length` bytes at `at`. Valid until the next `alloc`, which may move the memory: then get a new
   * view.
   */
  view(at: number, length: number): Uint8Array<ArrayBuffer>;
  /**
   * Reserves `bytes` in the core.
   * @throws Fault 'limit' when the memory cannot grow that far
   */
  alloc(bytes: number): number;
  /**
   * Opens a region: everything reserved until the next one is opened belongs to it. Disposing of it frees the
   * memory as soon as those opened after it are disposed of, too; the order does not matter.
   */
  region(): Disposable;
  /**
   * Receives what the core emits, e.g. pieces of a file being written; each is valid only during the call.
   * May throw.
   */
  sink: ((piece: Uint8Array<ArrayBuffer>) => void) | undefined;
  /** Disposed of: every use throws. */
  readonly disposed: boolean;
  /**
   * Bytes of linear memory that this core has needed, in whole pages: what its job is charged with. Still
   * known after disposal.
   */
  readonly heldBytes: number;
  /** Bytes of the whole memory, needed or not. 0 after disposal. */
  readonly memoryBytes: number;
}

/**
 * Makes a core. It takes some tens of microseconds, since the runtime compiles the module only once.
 * @param expectedBytes that it will probably need, to find a memory of that size
 * @throws ModuleNotLoaded before `loadCore`, unless imports bring the code
 */
export function createCore(expectedBytes = 0): Core {
  const { module } = code;
  const memory = isolateMemoryPool.take(expectedBytes);
  const emit = (at: number, bytes: number) => {
    if (!core.sink) throw new Error('The image core emitted bytes that nobody takes');
    core.sink(core.view(at >>> 0, bytes >>> 0));
  };
  const instance = new WebAssembly.Instance(module, { env: { memory, emit } });
  exportsOf ??= tableExports(module);
  let exports: CoreExports | undefined = exportsOf(instance);
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
export const noCoreMemory = () => new OutOfMemoryFault('There is no memory left to process this image');

/**
 * The address of rows that lie in this core.
 * @throws Error when they do not: rows of another memory, or a view that was detached when its memory grew
 */
export function addressOf(core: Core, rows: Uint8Array): number {
  if (rows.buffer !== core.exports.memory.buffer) {
    throw new Error('These rows do not lie in the core of their image, or its memory has grown since');
  }
  return rows.byteOffset;
}
