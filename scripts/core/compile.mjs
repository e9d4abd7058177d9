// Compiles wasm/assembly with the AssemblyScript compiler: what `npm run check` and the build of the core
// share.
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import asc from 'assemblyscript/asc';
import { INITIAL_PAGES } from '../../wasm/assembly/constants.ts';

/**
 * AssemblyScript writes decorators on functions, which TypeScript's grammar has no place for. In the sources
 * they stand as comments (`// @inline`), so that the formatter and the linter can read them.
 */
const DECORATOR_COMMENT = /^(\s*)\/\/ (@(?:inline|external\([^)]*\)))$/gm;

const OPTIONS = [
  ...['--optimizeLevel', '3', '--shrinkLevel', '0', '--noAssert'],
  ...['--runtime', 'stub', '--use', 'abort=', '--enable', 'simd'],
  // The host gives each instance its memory (src/core/memory_pool.ts), so that memories can be used again.
  ...['--importMemory', '--initialMemory', `${INITIAL_PAGES}`],
];

/**
 * @param {string} root of the project; paths of the output begin there
 * @param {string[]} output where to write, as the compiler's own arguments; `--noEmit` checks only
 * @returns {Promise<string | undefined>} the compiler's message where the sources have an error
 */
export async function compileCore(root, ...output) {
  const args = ['wasm/assembly/index.ts', '--baseDir', root, ...OPTIONS, ...output];
  const { error, stderr } = await asc.main(args, {
    readFile(name, folder) {
      const path = resolve(folder, name);
      if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return null;
      return readFileSync(path, 'utf8').replace(DECORATOR_COMMENT, '$1$2');
    },
  });
  return error ? `${stderr}${error.message}` : undefined;
}
