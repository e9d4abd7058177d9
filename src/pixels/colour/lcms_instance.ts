import module from 'lcms-wasm/dist/lcms.wasm';

/** What is used of LittleCMS 2.16 (lcms2.h); addresses are bytes of its memory, 0 is none. */
export interface Lcms {
  readonly memory: WebAssembly.Memory;
  malloc(bytes: number): number;
  free(at: number): void;
  cmsOpenProfileFromMem(at: number, bytes: number): number;
  cmsCreate_sRGBProfile(): number;
  cmsCreateTransform(
    from: number,
    fromFormat: number,
    to: number,
    toFormat: number,
    intent: number,
    flags: number,
  ): number;
  cmsDoTransform(transform: number, from: number, to: number, pixels: number): void;
}

interface Internals extends Lcms {
  readonly __indirect_function_table: WebAssembly.Table;
  __wasm_call_ctors(): void;
  emscripten_stack_init(): void;
}

const PAGE = 65_536;

/**
 * A new instance, told what emscripten's C library asks of its host and nothing more: copying, growing,
 * calling by address. The package's own host looks for a browser or Node around it, and finds half of one in
 * a Worker. There are no files, no clock and no exceptions in what is called here: whoever asks for them ends
 * the instance by an error.
 * @param mostBytes its memory never grows beyond
 */
export function createLcms(mostBytes: number): Lcms {
  const refuse = (name: string) => () => {
    throw new Error(`LittleCMS asked for ${name}`);
  };
  const call = (index: number, ...given: number[]) => {
    const callee = lcms.__indirect_function_table.get(index) as (...given: number[]) => number;
    return callee(...given);
  };
  const offered: Record<string, (...given: number[]) => unknown> = {
    emscripten_memcpy_js: (to = 0, from = 0, bytes = 0) => {
      new Uint8Array(lcms.memory.buffer).copyWithin(to, from, from + bytes);
    },
    emscripten_resize_heap: (wanted = 0) => {
      const bytes = wanted >>> 0;
      if (bytes > mostBytes) return 0;
      try {
        lcms.memory.grow(Math.ceil((bytes - lcms.memory.buffer.byteLength) / PAGE));
        return 1;
      } catch {
        return 0;
      }
    },
    // A profile that is made carries the time; this one is thrown away.
    emscripten_date_now: () => 0,
    _gmtime_js: () => undefined,
    _tzset_js: () => undefined,
  };
  const imports: Record<string, Record<string, (...given: number[]) => unknown>> = {};
  for (const { module: room, name } of WebAssembly.Module.imports(module)) {
    imports[room] ??= {};
    imports[room][name] = offered[name] ?? (name.startsWith('invoke_') ? call : refuse(name));
  }
  const lcms = new WebAssembly.Instance(module, imports).exports as unknown as Internals;
  lcms.emscripten_stack_init();
  lcms.__wasm_call_ctors();
  return lcms;
}
