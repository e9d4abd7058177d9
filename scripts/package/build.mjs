// Builds the package's exports into dist/package: the library with its modules and model next to it, and
// types that need no other package. Run by npm's prepare step. Tests pass another folder.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import * as z from 'zod';
import { manifestSchema } from '../../src/detectors/manifest.ts';
import { ensureCore } from '../core/ensure.mjs';
import { noticesOf } from './notices.mjs';
import { olderHomes, withoutIdleBanner } from './older_homes.mjs';
import { buildStandalone } from './standalone.mjs';
import { writeTypes } from './types.mjs';

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
await ensureCore();
const out = process.argv[2] ?? 'dist/package';
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

/**
 * Replaces imports that only a bundler understands by files next to the script, with functions that load
 * them, compiled or as bytes: Vite 5 and 6 do not accept await at the top of a script. Bundlers recognise an
 * address in this form, and copy the file. What differs between homes is left to the package's `imports`, or
 * bundled if `home` names one.
 */
const filesBeside = (home) => ({
  name: 'files-beside',
  setup({ onResolve, onLoad, initialOptions }) {
    onResolve({ filter: /^#/ }, ({ path }) => (home ? { path: resolve(home) } : { path, external: true }));
    onResolve({ filter: /\.(?:wasm|onnx)$/ }, ({ path, resolveDir }) => {
      const found = path.startsWith('.')
        ? new URL(path, `file://${resolveDir}/`).href
        : import.meta.resolve(path);
      return { path: fileURLToPath(found), namespace: 'beside' };
    });
    onLoad({ filter: /.*/, namespace: 'beside' }, ({ path }) => {
      const name = basename(path);
      writeFileSync(`${initialOptions.outdir}/${name}`, readFileSync(path));
      const read = `await home.readFile(new URL('./${name}', import.meta.url))`;
      const value = name.endsWith('.wasm') ? `WebAssembly.compile(${read})` : `(${read}).buffer`;
      return {
        contents: `import { home } from '#home';\nexport default async () => ${value};\n`,
        resolveDir: process.cwd(),
      };
    });
  },
});

/** CommonJS packages load Node's modules by `require`, which ES modules lack; they are imported instead. */
const builtinsByImport = {
  name: 'builtins-by-import',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ path, kind }) =>
      kind === 'require-call' && isBuiltin(path)
        ? { path: path.replace(/^node:/, ''), namespace: 'builtin' }
        : undefined,
    );
    onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({
      contents: `import value from 'node:${path}';\nmodule.exports = value;\n`,
    }));
  },
};

const common = {
  bundle: true,
  minify: true,
  format: 'esm',
  // Only Web APIs, even in Node; everything specific to a platform is in a home.
  platform: 'neutral',
  mainFields: ['module', 'main'],
  ...olderHomes,
  external: ['node:*', 'onnxruntime-web'],
  outdir: out,
  metafile: true,
  legalComments: 'eof',
};

const library = await build({
  ...common,
  entryPoints: {
    index: 'src/library/index.ts',
    home_node: 'src/library/home_node.ts',
    home_web: 'src/library/home_web.ts',
    worker: 'src/library/worker.ts',
    onnx: 'src/library/onnx.ts',
    upload: 'src/library/upload/index.ts',
    threads_node: 'src/library/threads_node.ts',
    threads_web: 'src/library/threads_web.ts',
    worker_thread_node: 'src/library/worker_thread_node.ts',
    client: 'client/index.ts',
    cli: 'src/cli/main.ts',
  },
  splitting: true,
  chunkNames: '[name]-[hash]',
  plugins: [filesBeside(), builtinsByImport],
});
// A single file without imports and top-level await: by default Vite turns workers into classic scripts,
// which support neither.
const thread = await build({
  ...common,
  entryPoints: { worker_thread_web: 'src/library/worker_thread_web.ts' },
  plugins: [filesBeside('src/library/home_web.ts')],
});
const inOneFile = await buildStandalone(common);
const inputs = [library, thread].flatMap(({ metafile }) => Object.keys(metafile.inputs)).concat(inOneFile);
for (const path of Object.keys(library.metafile.outputs)) {
  if (path.endsWith('.js')) writeFileSync(path, withoutIdleBanner(readFileSync(path, 'utf8')));
}
// npm makes the file of a `bin` executable; its first line must name the interpreter.
writeFileSync(`${out}/cli.js`, `#!/usr/bin/env node\n${readFileSync(`${out}/cli.js`, 'utf8')}`);
await writeTypes(out);
writeFileSync(
  `${out}/detector.schema.json`,
  `${JSON.stringify(z.toJSONSchema(manifestSchema, { io: 'input' }), null, 2)}\n`,
);
writeFileSync(`${out}/THIRD_PARTY_NOTICES.txt`, noticesOf(inputs));
if (!existsSync(`${out}/core.wasm`)) throw new Error('The package lacks its core');
