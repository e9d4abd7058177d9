/**
 * A .wasm file arrives compiled, as Workers forbid compiling bytes at run time. In the package, a loader
 * takes its place (src/core/loaded_module.ts).
 */
declare module '*.wasm' {
  const module: WebAssembly.Module;
  export default module;
}

/**
 * A .onnx file arrives as bytes (the Data rule in wrangler.toml); in the package, as something that loads
 * them.
 */
declare module '*.onnx' {
  const bytes: ArrayBuffer;
  export default bytes;
}

/** Made by scripts/detectors/build.mjs from a folder of detectors. */
declare module '#detectors' {
  /** `BuiltDetector`s (src/detectors/deployed.ts). */
  export const detectors: readonly { readonly model: ArrayBuffer }[];
  /** The runtime's memory after every detector has run once. */
  export const heapBytes: number;
  /** The same if our own face networks run on it, too. */
  export const heapBytesWithFaces: number;
}

/** Made by scripts/detectors/build.mjs: the detectors of the same folder that the page offers. */
declare module '#page-detectors' {
  /** `OfferedDetector`s (src/playground/engine/own_detectors.ts). */
  export const detectors: readonly { readonly load: () => Promise<ArrayBuffer> }[];
}

/** Made by scripts/package/standalone.mjs when the package is built. */
declare module '#parts' {
  /** The package's files by their names: base64 of gzip. */
  export const parts: Readonly<Record<string, string>>;
  /** A classic script. */
  export const threadScript: string;
}

/** Made by scripts/playground/towns.mjs when the page is built. */
declare module '#towns' {
  export const table: string;
}

/** Made by scripts/playground/world_land.mjs when the page is built. */
declare module '#world-land' {
  export const path: string;
}
