import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deadLinks } from '../fixtures/dead_links.ts';
import { type InstalledPackage, installPackage, nodes, runToEnd } from '../fixtures/installed_package.ts';

const { files } = JSON.parse(await readFile('package.json', 'utf8')) as { files: string[] };
const documents = files.filter((path) => path.endsWith('.md'));

/** The fenced code of a document, with the language that it names. */
async function samplesOf(path: string) {
  const text = await readFile(path, 'utf8');
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language, code]) => ({
    language: language!,
    code: code!,
  }));
}

/** Plain JavaScript, whose syntax is otherwise left as it is. */
const withoutTypes = (code: string, loader: 'ts' | 'tsx') => transform(code, { loader, target: 'esnext' });

const parsed = { code: 0, stdout: '', stderr: '' };

let installed: InstalledPackage;
beforeAll(async () => {
  installed = await installPackage();
});
afterAll(() => installed?.[Symbol.asyncDispose]());

describe('the documents in the tarball', () => {
  it('link to no file that the package lacks, and to no heading that is not there', () => {
    const expected = ['README.md', 'SECURITY.md', 'docs/library.md', 'docs/cli.md', 'docs/detectors.md'];
    expect(documents).toEqual(expected);
    expect(deadLinks(installed.at, documents)).toEqual([]);
  });

  it('still show the picture and link to one another', async () => {
    const readme = await readFile(join(installed.at, 'README.md'), 'utf8');
    expect(readme).toContain('](docs/pictures/page.webp)');
    expect(readme).toContain('[docs/library.md](docs/library.md)');
  });
});

it('the tarball installs without a warning: package.json once had scripts of the checkout', async () => {
  // Some machines have settings of their own that npm warns of.
  const warnings = installed.said
    .split('\n')
    .filter((line) => !/^(?:npm warn Unknown .* config|$)/.test(line));
  expect(warnings).toEqual([]);
  const manifest = JSON.parse(await readFile(join(installed.at, 'package.json'), 'utf8'));
  const forReaders = `name version description license type files sideEffects imports bin exports types
    publishConfig engines keywords repository homepage bugs peerDependencies peerDependenciesMeta`.split(
    /\s+/,
  );
  expect(Object.keys(manifest).filter((name) => !forReaders.includes(name))).toEqual([]);
});

// Of the runtimes that readers may have, the oldest Node knows the least syntax.
const [oldest, [node]] = nodes()[0]!;
describe.each([...documents, 'docs/client.md'])('the samples of %s', (path) => {
  it(`have no syntax that ${oldest} or a shell lacks`, async () => {
    const file = join(installed.folder, 'sample.mjs');
    for (const { language, code } of await samplesOf(path)) {
      expect(['js', 'ts', 'jsx', 'sh', 'html', 'json']).toContain(language);
      if (language === 'json') {
        expect(() => JSON.parse(code)).not.toThrow();
        continue;
      }
      const typed = ({ ts: 'ts', jsx: 'tsx' } as const)[language];
      await writeFile(file, typed ? (await withoutTypes(code, typed)).code : code);
      const check = language === 'sh' ? ['sh', '-n'] : [node!, '--check'];
      if (language !== 'html') expect(await runToEnd(check[0]!, [check[1]!, file], '.')).toEqual(parsed);
    }
  });
});

it('samples are found, and syntax that the oldest Node lacks is refused there', async () => {
  const found = await Promise.all([...documents, 'docs/client.md'].map(samplesOf));
  const languages = found.flat().map(({ language }) => language);
  for (const language of ['js', 'ts', 'sh']) expect(languages).toContain(language);
  const file = join(installed.folder, 'sample.mjs');
  await writeFile(file, 'const a = ;');
  expect((await runToEnd(node!, ['--check', file], '.')).stderr).toContain('SyntaxError');
});
