import { readFileSync } from 'node:fs';
import { type BuildResult, build, type Plugin } from 'esbuild';

/** The image core as bytes in the script, compiled where it is loaded: the loader that a page's build has. */
const wasmInside: Plugin = {
  name: 'wasm-inside',
  setup({ onLoad }) {
    onLoad({ filter: /\.wasm$/ }, ({ path }) => ({
      loader: 'js',
      contents: `export default new WebAssembly.Module(Uint8Array.from(atob("${readFileSync(path).toString('base64')}"), (c) => c.charCodeAt(0)));`,
    }));
  },
};

/**
 * Scanner, values and sentences as one script for browsers, its exports members of `metadata`.
 * @param core whether the image core is in it; without it, it stays an import
 */
export function bundleForBrowsers(core: boolean): Promise<BuildResult<{ write: false; metafile: true }>> {
  return build({
    stdin: {
      contents: `export { scan } from './src/metadata/scan.ts';
        export { hiddenData } from './src/metadata/jpeg/hidden.ts';
        export { Cursor } from './src/metadata/cursor.ts';
        export { Payloads } from './src/metadata/payloads.ts';
        export { readValues } from './src/metadata/values/read_values.ts';
        export { sentences } from './src/metadata/values/sentences.ts';`,
      resolveDir: process.cwd(),
    },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    platform: 'browser',
    target: ['es2024'],
    ...(core
      ? { format: 'iife', globalName: 'metadata', plugins: [wasmInside] }
      : { format: 'esm', external: ['*.wasm'] }),
  });
}
