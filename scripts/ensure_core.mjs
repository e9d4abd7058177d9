// Keeps dist/core.wasm as new as its sources, so that nothing runs on a core that its sources no longer
// describe: tests, benchmarks, fuzzing, evaluation, `npm start` and the bundle call this first.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const BUILT = 'dist/core.wasm';
const SOURCES = ['wasm/assembly', 'scripts/compile_core.mjs'];

/**
 * Whether the core was never built, or a source changed since. Folders count with their files: a file that
 * is deleted or renamed changes nothing but its folder.
 * @param {string} root of the project
 */
export function isCoreStale(root) {
  const built = statSync(join(root, BUILT), { throwIfNoEntry: false });
  return !built?.isFile() || SOURCES.some((source) => lastChange(join(root, source)) > built.mtimeMs);
}

/**
 * Builds dist/core.wasm where it is missing or older than a source.
 * @param {string} [root] of the project
 * @param {(root: string) => Promise<void>} [build]
 * @returns {Promise<boolean>} whether it was built
 */
export async function ensureCore(root = PROJECT, build = buildCore) {
  if (!isCoreStale(root)) return false;
  await build(root);
  return true;
}

/**
 * Compiles wasm/assembly to dist/core.wasm. The file is replaced whole, so that nobody reads half of it.
 * @param {string} [root] of the project
 * @throws {Error} with the compiler's message, where the sources have an error
 */
export async function buildCore(root = PROJECT) {
  // The compiler takes half a second to load, and most runs need none.
  const { compileCore } = await import('./compile_core.mjs');
  const built = join(root, BUILT);
  const unfinished = `${BUILT}.${process.pid}`;
  mkdirSync(dirname(built), { recursive: true });
  const start = new Date();
  const error = await compileCore(root, '--outFile', unfinished);
  if (error) {
    rmSync(join(root, unfinished), { force: true });
    throw new Error(`wasm/assembly does not compile:\n${error}`);
  }
  // What is saved while the compiler runs must count as newer than what it made.
  utimesSync(join(root, unfinished), start, start);
  renameSync(join(root, unfinished), built);
}

/** Time of the last change of a file, or of anything in a folder, in milliseconds; 0 where it is missing. */
function lastChange(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  const inside = readdirSync(path).map((name) => lastChange(join(path, name)));
  return Math.max(found.mtimeMs, ...inside);
}
