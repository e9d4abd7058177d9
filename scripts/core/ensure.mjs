// Keeps dist/core.wasm up to date with its sources: checks, tests, benchmarks, fuzzing, evaluation, `npm
// start` and the bundle call this first. Also covers its types, and dist/libavif.wasm, which is made from a
// package's module.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importMemory } from './import_memory.mjs';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const BUILT = 'dist/core.wasm';
const TYPES = 'dist/core.d.ts';
const LIBAVIF = 'dist/libavif.wasm';
const SOURCES = [
  'wasm/assembly',
  ...['compile.mjs', 'import_memory.mjs', 'sections.mjs', 'table_exports.mjs'].map(
    (name) => `scripts/core/${name}`,
  ),
];

/**
 * Whether the core was never built, or a source changed since. The change times of folders count as well as
 * those of files: deleting or renaming a file only changes its folder.
 * @param {string} root of the project
 */
export function isCoreStale(root) {
  const built = statSync(join(root, BUILT), { throwIfNoEntry: false });
  if (!built?.isFile() || [TYPES, LIBAVIF].some((path) => !existsSync(join(root, path)))) return true;
  return SOURCES.some((source) => lastChange(join(root, source)) > built.mtimeMs);
}

/**
 * Builds dist/core.wasm if it is missing or older than a source.
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
 * Compiles wasm/assembly to dist/core.wasm, with the types of its exports (dist/core.d.ts), and makes
 * dist/libavif.wasm. Files are replaced atomically, so that nobody reads an incomplete one.
 * @param {string} [root] of the project
 * @throws {Error} with the compiler's message if the sources have an error
 */
export async function buildCore(root = PROJECT) {
  // Loading the compiler takes half a second, and most runs do not need it.
  const { compileCore } = await import('./compile.mjs');
  const built = join(root, BUILT);
  const unfinished = `dist/unfinished-${process.pid}`;
  mkdirSync(dirname(built), { recursive: true });
  writeLibavif(join(root, LIBAVIF));
  const start = new Date();
  const error = await compileCore(root, `${unfinished}.wasm`);
  if (error) {
    for (const end of ['wasm', 'd.ts']) rmSync(join(root, `${unfinished}.${end}`), { force: true });
    throw new Error(`wasm/assembly does not compile:\n${error}`);
  }
  // A source saved while the compiler runs must count as newer than the result.
  utimesSync(join(root, `${unfinished}.wasm`), start, start);
  renameSync(join(root, `${unfinished}.d.ts`), join(root, TYPES));
  renameSync(join(root, `${unfinished}.wasm`), built);
}

/** The decoder of @jsquash/avif, which finds its memory where src/core/libavif.ts provides it. */
function writeLibavif(path) {
  const module = readFileSync(
    createRequire(import.meta.url).resolve('@jsquash/avif/codec/dec/avif_dec.wasm'),
  );
  writeFileSync(`${path}.${process.pid}`, importMemory(module, 'a'));
  renameSync(`${path}.${process.pid}`, path);
}

/** Time of the last change of a file, or of anything in a folder, in milliseconds; 0 if it is missing. */
function lastChange(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  const inside = readdirSync(path).map((name) => lastChange(join(path, name)));
  return Math.max(found.mtimeMs, ...inside);
}
