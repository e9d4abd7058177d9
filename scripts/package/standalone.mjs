import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** Provides the package's files as parts of the script itself, through `readFile` of a home. */
const inside = (home, parts, modules = {}) => ({
  name: 'files-inside',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^#/ }, ({ path }) =>
      modules[path] ? { path, namespace: 'made' } : { path: resolve(home) },
    );
    onLoad({ filter: /.*/, namespace: 'made' }, ({ path }) => ({ contents: modules[path]() }));
    onResolve({ filter: /\.(?:wasm|onnx)$/ }, ({ path, resolveDir }) => {
      const found = path.startsWith('.')
        ? new URL(path, `file://${resolveDir}/`).href
        : import.meta.resolve(path);
      return { path: fileURLToPath(found), namespace: 'part' };
    });
    onLoad({ filter: /.*/, namespace: 'part' }, ({ path }) => {
      const name = basename(path);
      parts[name] ??= gzipSync(readFileSync(path), { level: 9 }).toString('base64');
      const read = `await home.readFile(new URL('package:/${name}'))`;
      const value = name.endsWith('.wasm') ? `WebAssembly.compile(${read})` : `(${read}).buffer`;
      return {
        contents: `import { home } from '#home';\nexport default async () => ${value};\n`,
        resolveDir: process.cwd(),
      };
    });
  },
});

/**
 * Writes `standalone.js`: the library, its threads and all its files as one script without imports.
 * @param common options of esbuild shared by the package's scripts
 * @returns paths of its input files
 */
export async function buildStandalone(common) {
  const parts = {};
  // The thread needs every file that the library needs, so `parts` is complete afterwards.
  const thread = await build({
    ...common,
    format: 'iife',
    write: false,
    legalComments: 'none',
    entryPoints: ['src/library/worker_thread_inside.ts'],
    plugins: [inside('src/library/home_in_thread.ts', parts)],
  });
  const files = () =>
    `export const parts = ${JSON.stringify(parts)};
export const threadScript = ${JSON.stringify(thread.outputFiles[0].text)};`;
  const { metafile } = await build({
    ...common,
    entryPoints: { standalone: 'src/library/standalone.ts' },
    plugins: [inside('src/library/home_inside.ts', parts, { '#parts': files })],
  });
  return [thread.metafile, metafile].flatMap((made) => Object.keys(made.inputs));
}
