/** LittleCMS 2.16 built by emscripten; only what is used here. Addresses are bytes of its heap. */
declare module 'lcms-wasm' {
  export interface Lcms {
    /** Follows the heap when that grows. */
    readonly HEAPU8: Uint8Array<ArrayBuffer>;
    _malloc(bytes: number): number;
    _cmsOpenProfileFromMem(at: number, bytes: number): number;
    _cmsCreate_sRGBProfile(): number;
    _cmsCreateTransform(
      from: number,
      fromFormat: number,
      to: number,
      toFormat: number,
      intent: number,
      flags: number,
    ): number;
    _cmsDoTransform(transform: number, from: number, to: number, pixels: number): void;
  }
  export function instantiate(options: {
    instantiateWasm: (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => object;
    print: (text: string) => void;
    printErr: (text: string) => void;
  }): Promise<Lcms>;
}
