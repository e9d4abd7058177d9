import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildCore, ensureCore, isCoreStale } from '../../scripts/core/ensure.mjs';

/** Times of files, in seconds: of the sources, of the build, and of what happens after it. */
const [BEFORE, BUILT, AFTER] = [1_000, 2_000, 3_000];

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ensure-core-'));
  write('wasm/assembly/index.ts', 'export const ANSWER: i32 = 42;\n');
  write('wasm/assembly/png/rows.ts', 'export const ROWS: i32 = 1;\n');
  write('scripts/core/compile.mjs', '');
  write('scripts/core/import_memory.mjs', '');
  write('dist/core.wasm', 'old', BUILT);
  for (const path of ['dist/libavif.wasm', 'dist/core.d.ts']) write(path, 'old', BUILT);
  for (const folder of ['wasm/assembly/png', 'wasm/assembly']) date(folder, BEFORE);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string, time = BEFORE): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  date(path, time);
}

const date = (path: string, seconds: number) => utimesSync(join(root, path), seconds, seconds);

describe('a built core', () => {
  it('is current while no source is newer', () => {
    expect(isCoreStale(root)).toBe(false);
  });

  it.each(['wasm/assembly/index.ts', 'wasm/assembly/png/rows.ts', 'scripts/core/compile.mjs'])(
    'is stale once %s is newer',
    (path) => {
      date(path, AFTER);
      expect(isCoreStale(root)).toBe(true);
    },
  );

  it('is stale once a source is gone', () => {
    rmSync(join(root, 'wasm/assembly/png/rows.ts'));
    expect(isCoreStale(root)).toBe(true);
  });

  it.each(['dist/core.wasm', 'dist/core.d.ts', 'dist/libavif.wasm'])(
    'is stale where there is no %s',
    (path) => {
      rmSync(join(root, path));
      expect(isCoreStale(root)).toBe(true);
    },
  );

  it('is built when it is stale, and only then', async () => {
    const built: string[] = [];
    const build = async (at: string) => {
      built.push(at);
      write('dist/core.wasm', 'new', AFTER);
    };
    expect(await ensureCore(root, build)).toBe(false);
    date('wasm/assembly/index.ts', AFTER - 1);
    expect(await ensureCore(root, build)).toBe(true);
    expect(await ensureCore(root, build)).toBe(false);
    expect(built).toEqual([root]);
  });

  it('stays as it was when its sources have an error, which is told', async () => {
    symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
    write('wasm/assembly/index.ts', 'export const ANSWER: i32 = "forty-two";\n', AFTER);
    await expect(ensureCore(root)).rejects.toThrow('Type');
    expect(readFileSync(join(root, 'dist/core.wasm'), 'utf8')).toBe('old');
    expect(isCoreStale(root)).toBe(true);
  });

  it('is a WebAssembly module, and current, once it was built, as is libavif beside it', async () => {
    await buildCore(root);
    for (const path of ['dist/core.wasm', 'dist/libavif.wasm']) {
      expect(readFileSync(join(root, path)).subarray(0, 4).toString()).toBe('\0asm');
    }
    expect(readFileSync(join(root, 'dist/core.d.ts'), 'utf8')).toContain('export const ANSWER');
    expect(readdirSync(join(root, 'dist')).sort()).toEqual(['core.d.ts', 'core.wasm', 'libavif.wasm']);
    expect(isCoreStale(root)).toBe(false);
  });
});
