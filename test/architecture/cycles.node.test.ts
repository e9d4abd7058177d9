import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

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

describe('the linter', () => {
  it('finds files that import each other, in every form and however many', () => {
    const files = {
      'src/a.ts': "import { b } from './b.ts';\nexport const a = b;\n",
      'src/b.ts': "import { c } from './c.ts';\nexport const b = c;\n",
      'src/c.ts': "export * from './a.ts';\nexport const c = 1;\n",
      'src/d.ts': "export const d = () => import('./e.ts');\n",
      'src/e.ts': "import { d } from './d.ts';\nexport const e = d;\n",
      'src/outside.ts': "import { a } from './a.ts';\nexport const f = a;\n",
    };
    expect(filesInCycles(files)).toEqual(['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/d.ts', 'src/e.ts']);
  });

  it('finds them where types alone close the ring', () => {
    const files = {
      'src/a.ts': "import type { B } from './b.ts';\nexport interface A {\n  readonly b: B;\n}\n",
      'src/b.ts': "import { type A } from './a.ts';\nexport interface B {\n  readonly a: A;\n}\n",
    };
    expect(filesInCycles(files)).toEqual(['src/a.ts', 'src/b.ts']);
  });

  it('finds them in tests and in the image core, whose imports have no ending', () => {
    const files = {
      'test/a.ts': "import { b } from './b.ts';\nexport const a = b;\n",
      'test/b.ts': "import { a } from './a.ts';\nexport const b = a;\n",
      'wasm/assembly/a.ts': "import { b } from './b';\nexport const a: i32 = b;\n",
      'wasm/assembly/b.ts': "import * as A from './a';\nexport const b: i32 = A.a;\n",
    };
    expect(filesInCycles(files)).toEqual(Object.keys(files));
  });

  it('finds none where ways only meet', () => {
    const files = {
      'src/a.ts': "import { b } from './b.ts';\nimport { c } from './c.ts';\nexport const a = b + c;\n",
      'src/b.ts': "import { c } from './c.ts';\nexport const b = c;\n",
      'src/c.ts': "import type { D } from 'left-pad';\nexport const c: D = 1;\n",
    };
    expect(filesInCycles(files)).toEqual([]);
  });
});
