import compiled from 'lcms-wasm/dist/lcms.wasm';
import { loadedModule } from '../../core/loaded_module.ts';
import { PAGE_BYTES } from '../../core/memory_pool.ts';

const code = loadedModule(compiled);

/** Loads LittleCMS if imports do not bring it. Call it before `createLcms`. */
export const loadLcms = code.load;

/** The part of LittleCMS 2.16 (lcms2.h) that is used. Addresses are bytes of its memory; 0 is none. */
export interface Lcms {
  readonly memory: WebAssembly.Memory;
  malloc(bytes: number): number;
  free(at: number): void;
  cmsOpenProfileFromMem(at: number, bytes: number): number;
  /** The tag's value, which the profile keeps; 0 without it, or if it is broken. */
  cmsReadTag(profile: number, signature: number): number;
  cmsCreate_sRGBProfile(): number;
  cmsCloseProfile(profile: number): number;
  /** @param to 0 if `from` is a device link */
  cmsCreateTransform(
    from: number,
    fromFormat: number,
    to: number,
    toFormat: number,
    intent: number,
    flags: number,
  ): number;
  cmsDoTransform(transform: number, from: number, to: number, pixels: number): void;
  cmsDeleteTransform(transform: number): void;
}

/** A pixel format of lcms2.h. @param bytes of a sample @param extra samples that are left as they are */
export const pixelFormat = (space: number, channels: number, bytes: number, extra = 0): number =>
  (space << 16) | (extra << 7) | (channels << 3) | bytes;

/** Colour spaces of pixel formats (PT_ of lcms2.h). */
export const PixelSpace = { grey: 3, rgb: 4, cmyk: 6, threeColours: 17 } as const;

/** The rendering intent that all transforms have. */
export const RELATIVE_COLORIMETRIC = 1;

interface Internals extends Lcms {
  readonly __indirect_function_table: WebAssembly.Table;
  __wasm_call_ctors(): void;
  emscripten_stack_init(): void;
}

/**
 * A new instance with a minimal host for emscripten's C library: copying, growing, calling by address. The
 * package's own host expects a browser or Node, and does not start in a Worker. The functions called here
 * need no files, clock or exceptions: imports for these throw.
 * @param maxBytes the most bytes that its memory may grow to
 */
export function createLcms(maxBytes: number): Lcms {
  const { module } = code;
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
      if (bytes > maxBytes) return 0;
      try {
        lcms.memory.grow(Math.ceil((bytes - lcms.memory.buffer.byteLength) / PAGE_BYTES));
        return 1;
      } catch {
        return 0;
      }
    },
    // LittleCMS dates the sRGB profile that it creates; the date is never used.
    emscripten_date_now: () => 0,
    _gmtime_js: () => undefined,
    _tzset_js: () => undefined,
  };
  const imports: Record<string, Record<string, (...given: number[]) => unknown>> = {};
  for (const { module: namespace, name } of WebAssembly.Module.imports(module)) {
    imports[namespace] ??= {};
    imports[namespace][name] = offered[name] ?? (name.startsWith('invoke_') ? call : refuse(name));
  }
  const lcms = new WebAssembly.Instance(module, imports).exports as unknown as Internals;
  lcms.emscripten_stack_init();
  lcms.__wasm_call_ctors();
  return lcms;
}
