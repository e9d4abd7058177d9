import createDecoder, { type WebPModule } from '@jsquash/webp/codec/dec/webp_dec.js';
import module from '@jsquash/webp/codec/dec/webp_dec.wasm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { instantiate, type ModuleFactory } from '../../../src/codecs/whole_frame/emscripten.ts';
import { isolateMemoryPool } from '../../../src/core/memory_pool.ts';
import { photoPicture } from '../../fixtures/raster.ts';
import { sampleFile } from '../../fixtures/samples.ts';

const factory = createDecoder as ModuleFactory<WebPModule>;
const LARGE = 200 * 1024 * 1024;
const usual = isolateMemoryPool.limit;

let made = 0;
const counted: typeof factory = (options) => {
  made++;
  return factory(options);
};

/** Decodes in a new instance, or in one used before. */
async function decode(file: Uint8Array, expectedBytes = LARGE): Promise<Uint8ClampedArray> {
  using decoder = await instantiate(counted, module, expectedBytes);
  return decoder.run((codec) => codec.decode(file).data);
}

const sample = (seed: number) => sampleFile('webp', photoPicture(90 + seed, 70, seed));

beforeEach(() => {
  // Nothing is idle at first, whatever ran before; then there is room.
  isolateMemoryPool.limit = 0;
  isolateMemoryPool.limit = LARGE;
  made = 0;
});
afterEach(() => {
  isolateMemoryPool.limit = usual;
});

describe('an instance of a codec', () => {
  it('does its next job as a new one would, and its results are its own', async () => {
    const files = await Promise.all([1, 2, 3].map(sample));
    const fresh: Uint8ClampedArray[] = [];
    for (const file of files) {
      isolateMemoryPool.limit = 0;
      fresh.push((await decode(file)).slice());
    }
    expect(made).toBe(3);
    isolateMemoryPool.limit = LARGE;
    const again: Uint8ClampedArray[] = [];
    for (const file of [...files, ...files]) again.push(await decode(file));
    expect(made).toBe(4);
    again.forEach((pixels, index) => {
      expect(pixels).toEqual(fresh[index % 3]);
    });
  });

  it('keeps nothing of a job: its memory is as it was when it was new', async () => {
    let memory: WebAssembly.Memory | undefined;
    const watched: typeof factory = (options) =>
      factory({
        ...options,
        instantiateWasm(imports, done) {
          const exports = options.instantiateWasm(imports, done);
          memory = Object.values(exports).find((value) => value instanceof WebAssembly.Memory);
          return exports;
        },
      });
    using decoder = await instantiate(watched, module, LARGE);
    const asNew = new Uint8Array(memory!.buffer).slice();
    const file = await sample(9);
    decoder.run((codec) => codec.decode(file));
    const changes = () =>
      new Uint8Array(memory!.buffer).reduce((sum, byte, at) => sum + Number(byte !== (asNew[at] ?? 0)), 0);
    expect(changes()).toBeGreaterThan(64 * 64);
    decoder[Symbol.dispose]();
    expect(changes()).toBe(0);
  });

  it('is dropped after an error, where it is far larger than the job, and where there is no room', async () => {
    const file = await sample(4);
    await decode(file);
    using broken = await instantiate(counted, module, LARGE);
    const fails = () =>
      broken.run(() => {
        throw new Error('trap');
      });
    expect(fails).toThrow('trap');
    broken[Symbol.dispose]();
    await decode(file);
    expect(made).toBe(2);
    isolateMemoryPool.limit = 0;
    expect(isolateMemoryPool.idleBytes).toBe(0);
    await decode(file);
    expect(made).toBe(3);
    isolateMemoryPool.limit = LARGE;
    await decode(file);
    await decode(file, -LARGE);
    expect(made).toBe(5);
  });
});
