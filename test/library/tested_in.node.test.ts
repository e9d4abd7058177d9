import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** `major.minor` of every version of a package that the tests are pinned to, without repeats, in order. */
function pinned(name: string): string[] {
  const versions = ['package.json', 'test/toolchains/package.json'].flatMap((path) => {
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
    const all = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.devDependencies };
    return Object.entries(all)
      .filter(([key]) => key === name || key.startsWith(`${name}-`))
      .map(([, version]) => /(?:^|@)(\d+\.\d+)\.\d+$/.exec(version)![1]!);
  });
  return versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

const list = /\n## What it is tested in\n(.*?)\n## /s.exec(readFileSync('docs/library.md', 'utf8'))![1]!;

it.each([
  ['Node', 'node'],
  ['Deno', 'deno'],
  ['Bun', 'bun'],
  ['TypeScript', 'typescript'],
])('the library’s page lists the versions of %s that are tested, no more and no less', (said, name) => {
  const [, versions] = new RegExp(String.raw`\b${said} (\d+\.\d+(?:(?:, | and\s)\d+\.\d+)*)`).exec(list)!;
  expect(versions!.split(/, | and\s/)).toEqual(pinned(name));
});

it.each(['README.md', 'CONTRIBUTING.md'])('%s links to that list', (path) => {
  expect(readFileSync(path, 'utf8')).toContain('(docs/library.md#what-it-is-tested-in)');
});
