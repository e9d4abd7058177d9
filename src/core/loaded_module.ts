import { sharedUntilFailure } from './shared_until_failure.ts';

/**
 * A module that an import gives either compiled, as in Workers, or as a function that loads it, as in the
 * package.
 */
export interface LoadedModule {
  /** @throws ModuleNotLoaded before `load` has resolved, unless it came compiled */
  readonly module: WebAssembly.Module;
  /** Loads it once; after a failure, again. */
  load(): Promise<void>;
}

/** A module was used before it was loaded. Callers that load it only when needed catch this. */
export class ModuleNotLoaded extends Error {
  override readonly name = 'ModuleNotLoaded';
  readonly load: () => Promise<void>;

  constructor(load: () => Promise<void>) {
    super('A module has to be loaded before it is used');
    this.load = load;
  }
}

/** @param given what the import of a .wasm file gives */
export function loadedModule(given: WebAssembly.Module | (() => Promise<WebAssembly.Module>)): LoadedModule {
  let loaded = typeof given === 'function' ? undefined : given;
  const load = sharedUntilFailure(async () => {
    if (typeof given === 'function') loaded = await given();
  });
  return {
    get module() {
      if (!loaded) throw new ModuleNotLoaded(load);
      return loaded;
    },
    load,
  };
}
