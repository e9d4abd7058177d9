import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bannedWords, borders, cycles, lengths, twins } from './architecture/checks.ts';
import { testedElsewhere } from './architecture/elsewhere.ts';
import { longLines, unlisted, unseeded } from './architecture/text_checks.ts';
import { readTree } from './architecture/tree.ts';

const src = readTree('src').filter(({ path }) => !path.startsWith('src/playground/'));
const wasm = readTree('wasm');
const tests = readTree('test');

describe('the house', () => {
  it('is there: the checks below look at real files', () => {
    expect(src.length).toBeGreaterThan(100);
    expect(wasm.length).toBeGreaterThan(50);
    expect(tests.length).toBeGreaterThan(100);
  });

  it('keeps its borders', () => {
    expect(borders(src)).toEqual([]);
  });

  it('has no circular imports', () => {
    expect(cycles([...src, ...tests])).toEqual([]);
  });

  it('has no file over the limit of lines', () => {
    expect(
      lengths([...src, ...wasm, ...tests, ...readTree('scripts'), ...readTree('scripts', '.mjs')]),
    ).toEqual([]);
  });

  it('has nothing in its code that belongs elsewhere, and no unfinished work', () => {
    expect(bannedWords([...src, ...wasm])).toEqual([]);
  });

  it('has a test beside every file', () => {
    const files = src.filter(({ path }) => !path.endsWith('.d.ts'));
    expect(
      twins(
        files,
        tests.map(({ path }) => path),
        testedElsewhere,
      ),
    ).toEqual([]);
  });
});

describe('the text of the files', () => {
  it('has no line that is too long to read', () => {
    const folders = ['src', 'wasm', 'test', 'scripts', 'client'];
    const code = folders.flatMap((folder) => ['.ts', '.js', '.mjs'].flatMap((end) => readTree(folder, end)));
    expect(longLines(code)).toEqual([]);
  });

  it('leaves nothing to chance in tests', () => {
    expect(unseeded(tests.filter(({ path }) => !path.startsWith('test/architecture/')))).toEqual([]);
  });

  it('says of every folder of tests what it guards', () => {
    expect(unlisted(tests, readFileSync('test/README.md', 'utf8'))).toEqual([]);
  });
});
