import { isolateMemoryPool, PAGE_BYTES } from '../../core/memory_pool.ts';
import { OutOfMemoryFault } from '../../faults.ts';

/** An emscripten module factory as @jsquash packages export it (their `codec/**.js`, one a codec). */
export type ModuleFactory<M> = (options: {
  noInitialRun: boolean;
  instantiateWasm: (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => object;
}) => Promise<M>;

/** One instance of an emscripten codec, for one job. */
interface CodecInstance<M> extends Disposable {
  /**
   * Runs one call of the codec, whose result must not lie in the codec's memory. When it throws, the instance
   * is not used again.
   */
  run<T>(call: (codec: M) => T): T;
  /**
   * As `run`, for a call that decodes.
   * @param what the image, for the message: "12.2 megapixel AVIF (4032 × 3024)"
   * @returns null where the data are corrupt
   * @throws OutOfMemoryFault where it ran out of memory
   */
  decode<T>(call: (codec: M) => T | null, what: string): T | null;
  /** Whether the codec has asked for more memory than there is. */
  readonly outOfMemory: boolean;
  /** Bytes of linear memory held now. */
  heldBytes(): number;
}

/** Most bytes that an idle instance may have beyond what the job has reserved. */
const MAX_EXCESS_BYTES = 16 * 1024 * 1024;

/** An instance, and the pages of its memory that were not all zero when it was new. */
interface PooledInstance {
  readonly codec: unknown;
  readonly memory: WebAssembly.Memory;
  readonly initialPages: ReadonlyMap<number, Uint8Array>;
  readonly growth: Growth;
}

/** Whether a codec was refused more memory. */
interface Growth {
  refused: boolean;
}

/** Instances ready for the next job, at most one a module. */
const idle = new Map<WebAssembly.Module, PooledInstance>();

/**
 * An instance of an imported module; nothing is compiled at run time. Heaps never shrink, and dropped ones
 * are collected late (docs/benchmarks.md), so an instance that served a job is used again: its memory is
 * reset to what it was when new, so that no job sees anything of another. After an error it is dropped.
 * @param expectedBytes that the job has reserved: an instance that holds far more is dropped instead
 */
export async function instantiate<M>(
  factory: ModuleFactory<M>,
  module: WebAssembly.Module,
  expectedBytes: number,
): Promise<CodecInstance<M>> {
  const instance = takeIdle(module, expectedBytes) ?? (await create(factory, module));
  const { memory } = instance;
  isolateMemoryPool.useHeap(memory);
  let state: 'new' | 'ran' | 'broken' = 'new';
  const running: CodecInstance<M> = {
    heldBytes: () => memory.buffer.byteLength,
    run(call) {
      state = 'broken';
      const result = call(instance.codec as M);
      state = 'ran';
      return result;
    },
    decode(call, what) {
      let result: ReturnType<typeof call> = null;
      try {
        result = running.run(call);
      } catch {
        // Codecs built by emscripten trap, abort or throw a bare number on corrupt data.
      }
      if (!result && running.outOfMemory)
        throw new OutOfMemoryFault(`There is no memory left to read this ${what}`);
      return result;
    },
    get outOfMemory() {
      return instance.growth.refused;
    },
    [Symbol.dispose]() {
      if (state === 'ran' && !running.outOfMemory) returnToPool(module, instance);
      state = 'broken';
    },
  };
  return running;
}

function takeIdle(module: WebAssembly.Module, expectedBytes: number): PooledInstance | undefined {
  const pooled = idle.get(module);
  idle.delete(module);
  if (!pooled || pooled.memory.buffer.byteLength > expectedBytes + MAX_EXCESS_BYTES) return undefined;
  return pooled;
}

async function create<M>(factory: ModuleFactory<M>, module: WebAssembly.Module): Promise<PooledInstance> {
  let memory: WebAssembly.Memory | undefined;
  const hadLocation = 'location' in globalThis;
  const codec = await factory({
    noInitialRun: true,
    instantiateWasm(imports, done) {
      const instance = new WebAssembly.Instance(module, imports);
      memory = Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory);
      done(instance);
      return instance.exports;
    },
  });
  // The factories leave an empty location behind where there is none; other libraries take it for a page's.
  if (!hadLocation) Reflect.deleteProperty(globalThis, 'location');
  if (!memory) throw new TypeError('The codec module exports no memory');
  return { codec, memory, initialPages: pagesInUse(memory), growth: watchGrowth(memory) };
}

/**
 * Records a refused `grow`. A codec whose allocation fails returns nothing or traps, as it does on corrupt
 * data: only a refused `grow` tells the two apart.
 */
function watchGrowth(memory: WebAssembly.Memory): Growth {
  const growth: Growth = { refused: false };
  memory.grow = (pages) => {
    try {
      return WebAssembly.Memory.prototype.grow.call(memory, pages);
    } catch (error) {
      growth.refused = true;
      throw error;
    }
  };
  return growth;
}

function returnToPool(module: WebAssembly.Module, instance: PooledInstance): void {
  const bytes = new Uint8Array(instance.memory.buffer);
  bytes.fill(0);
  for (const [page, content] of instance.initialPages) bytes.set(content, page * PAGE_BYTES);
  idle.set(module, instance);
  isolateMemoryPool.keepHeap(instance.memory, () => {
    if (idle.get(module) === instance) idle.delete(module);
  });
}

function pagesInUse({ buffer }: WebAssembly.Memory): Map<number, Uint8Array> {
  const pages = new Map<number, Uint8Array>();
  for (let page = 0; page < buffer.byteLength / PAGE_BYTES; page++) {
    const words = new Int32Array(buffer, page * PAGE_BYTES, PAGE_BYTES / 4);
    let at = 0;
    while (at < words.length && words[at] === 0) at++;
    if (at < words.length) pages.set(page, new Uint8Array(buffer, page * PAGE_BYTES, PAGE_BYTES).slice());
  }
  return pages;
}
