import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deadLinks } from '../fixtures/dead_links.ts';
import { deadPaths, longDocumentLines, strayFigures } from './document_paths.ts';
import { readTree, type SourceFile } from './tree.ts';

const file = (path: string): SourceFile => ({ path, text: readFileSync(path, 'utf8') });
const documents = [
  ...readdirSync('.').filter((name) => name.endsWith('.md')),
  ...['src', 'wasm', 'docs', 'test', 'models', 'deploy'].flatMap((folder) =>
    readTree(folder, '.md').map(({ path }) => path),
  ),
].map(file);
/** Made by programs, or records of what was: as they were written. */
const records = /^(?:docs\/measurements|docs\/decisions|models)\//;

it('documents are found in every room', () => {
  const paths = documents.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(['README.md', 'docs/api.md', 'src/memory/README.md']));
});

describe('lines', () => {
  it('are short enough to read', () => {
    const read = documents.filter(({ path }) => !/^(?:docs\/measurements|models)\//.test(path));
    expect(read.flatMap(longDocumentLines)).toEqual([]);
  });

  it('are counted without tables, code and what can’t be broken', () => {
    const long = 'word '.repeat(30);
    const text = `${long}\n| ${long} |\n\`\`\`\n${long}\n\`\`\`\n${'x'.repeat(200)}\n`;
    expect(longDocumentLines({ path: 'a.md', text })).toEqual(['a.md:1 has 150 characters']);
  });
});

it('links lead to files and headings that are there, in every room', () => {
  expect(
    deadLinks(
      '.',
      documents.map(({ path }) => path),
    ),
  ).toEqual([]);
});

describe('paths', () => {
  it('are there', () => {
    expect(documents.filter(({ path }) => !records.test(path)).flatMap(deadPaths)).toEqual([]);
  });

  it('are looked for from the root, in a room’s README also from its folder', () => {
    const text = '`src/memory/budget.ts` `src/none.ts` `docs/*.md` `test/none*` `src/a/b.ts` `nope.ts`';
    expect(deadPaths({ path: 'docs/a.md', text })).toEqual([
      'docs/a.md:1 names src/none.ts, which is not there',
      'docs/a.md:1 names test/none*, which is not there',
    ]);
    expect(deadPaths({ path: 'src/memory/README.md', text: '`budget.ts`, `nope.ts`' })).toEqual([
      'src/memory/README.md:1 names nope.ts, which is not there',
    ]);
  });
});

describe('figures', () => {
  const linkedOf = ({ path, text }: SourceFile) =>
    [...text.matchAll(/\]\(([\w./-]+\.md)/g)].map(([, target]) =>
      file(posix.join(posix.dirname(path), target!)),
    );

  it.each(['README.md', 'SECURITY.md'])('of %s stand in the documents that it links to', (path) => {
    const document = file(path);
    expect(strayFigures(document, linkedOf(document))).toEqual([]);
  });

  it('that contradict are found: SECURITY.md once had other blocks of a face than docs/faces.md', () => {
    const faces = { path: 'faces.md', text: 'at most 4 × 4 blocks, close-ups\n8 × 8 blocks, 16.6 MB' };
    const text = 'at most 4 × 4\nblocks; 5 × 5 blocks; 17 MB, 16.6 MB';
    expect(strayFigures({ path: 'a.md', text }, [faces])).toEqual([
      'a.md: 5 × 5 blocks stands in no document that it links to',
      'a.md: 17 MB stands in no document that it links to',
    ]);
  });
});
