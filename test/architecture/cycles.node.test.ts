import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const BIOME = resolve('node_modules/@biomejs/biome/bin/biome');

/** The files of a made-up tree (path → text) that this project's linter finds in a cycle. */
function filesInCycles(files: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'cycles-'));
  try {
    copyFileSync('biome.json', join(root, 'biome.json'));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const found = diagnostics(root);
    return found
      .filter(({ category }) => category === 'lint/suspicious/noImportCycles')
      .map(({ path }) => path);
  } finally {
    rmSync(root, { recursive: true });
  }
}

function diagnostics(root: string): { category: string; path: string }[] {
  const report = JSON.parse(lintReport(root)) as {
    diagnostics: { category: string; severity: string; location: { path: string } }[];
  };
  return report.diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ category, location }) => ({ category, path: location.path.replaceAll('\\', '/') }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The linter ends with status 1 where it finds an error; its report is on standard output either way. */
function lintReport(root: string): string {
  const args = [BIOME, 'lint', '--vcs-enabled=false', '--reporter=json', '--max-diagnostics=none', '.'];
  try {
    return execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

it('the linter finds files that import each other, by types too, in src, in tests and in the image core', () => {
  const rings = {
    'src/a.ts': "import { b } from './b.ts';\nexport const a = b;\n",
    'src/b.ts': "export const b = () => import('./a.ts');\n",
    'src/c.ts': "import type { D } from './d.ts';\nexport interface C {\n  readonly d: D;\n}\n",
    'src/d.ts': "import { type C } from './c.ts';\nexport interface D {\n  readonly c: C;\n}\n",
    'test/a.ts': "import { b } from './b.ts';\nexport const a = b;\n",
    'test/b.ts': "import { a } from './a.ts';\nexport const b = a;\n",
    'wasm/assembly/a.ts': "import { b } from './b';\nexport const a: i32 = b;\n",
    'wasm/assembly/b.ts': "import * as A from './a';\nexport const b: i32 = A.a;\n",
  };
  const outside = { 'src/outside.ts': "import { a } from './a.ts';\nexport const f = a;\n" };
  expect(filesInCycles({ ...rings, ...outside })).toEqual(Object.keys(rings));
});
