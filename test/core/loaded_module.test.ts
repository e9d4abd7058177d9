import { describe, expect, it } from 'vitest';
import { loadedModule, ModuleNotLoaded } from '../../src/core/loaded_module.ts';

const module = {} as WebAssembly.Module;

describe('loadedModule', () => {
  it('is there at once where the import brings it compiled', async () => {
    const code = loadedModule(module);
    expect(code.module).toBe(module);
    await code.load();
    expect(code.module).toBe(module);
  });

  it('is loaded once where the import brings what loads it', async () => {
    let loads = 0;
    const code = loadedModule(async () => {
      loads++;
      return module;
    });
    expect(() => code.module).toThrow(ModuleNotLoaded);
    await Promise.all([code.load(), code.load()]);
    await code.load();
    expect([code.module, loads]).toEqual([module, 1]);
  });

  it('can be loaded by whoever used it too early, and again after a failure', async () => {
    let loads = 0;
    const code = loadedModule(async () => {
      if (++loads === 1) throw new Error('offline');
      return module;
    });
    await expect(code.load()).rejects.toThrow('offline');
    const early = (() => {
      try {
        return code.module;
      } catch (error) {
        return error;
      }
    })();
    await (early as ModuleNotLoaded).load();
    expect([code.module, loads]).toEqual([module, 2]);
  });
});
