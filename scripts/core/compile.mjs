// Compiles wasm/assembly with the AssemblyScript compiler.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import asc from 'assemblyscript/asc';
import { INITIAL_PAGES } from '../../wasm/assembly/constants.ts';
import { tableExports } from './table_exports.mjs';

/**
 * AssemblyScript writes decorators on functions, which TypeScript's grammar has no place for. In the sources
 * they stand as comments (`// @inline`), so that the formatter and the linter can read them.
 */
const DECORATOR_COMMENT = /^(\s*)\/\/ (@(?:inline|external\([^)]*\)))$/gm;

const OPTIMISED = ['--optimizeLevel', '3', '--shrinkLevel', '0', '--noAssert'];
const OPTIONS = [
  ...['--runtime', 'stub', '--use', 'abort=', '--enable', 'simd'],
  // The host provides each instance's memory (src/core/memory_pool.ts), so that memories can be reused.
  ...['--importMemory', '--initialMemory', `${INITIAL_PAGES}`],
];

/**
 * Writes the module, its functions in a table, and next to it the types of its exports. This takes two runs,
 * because with types the compiler also exports what scripts need to use objects.
 * @param {string} root of the project
 * @param {string} outFile the module's path from there; ends in `.wasm`
 * @returns {Promise<string | undefined>} the compiler's message if the sources have an error
 */
export const compileCore = async (root, outFile) =>
  (await run(root, outFile, '.wasm', OPTIMISED, tableExports)) ??
  (await run(root, outFile, '.d.ts', ['--bindings', 'raw'], (types) => types));

/**
 * @param {string} ending selects the output to write among all that the compiler makes
 * @param written makes what is written of it
 */
async function run(root, outFile, ending, options, written) {
  const args = ['wasm/assembly/index.ts', '--baseDir', root, '--outFile', outFile, ...OPTIONS, ...options];
  const { error, stderr } = await asc.main(args, {
    readFile(name, folder) {
      const path = resolve(folder, name);
      if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return null;
      return readFileSync(path, 'utf8').replace(DECORATOR_COMMENT, '$1$2');
    },
    writeFile(name, content, folder) {
      if (name.endsWith(ending)) writeFileSync(resolve(folder, name), written(content));
    },
  });
  return error ? `${stderr}${error.message}` : undefined;
}
