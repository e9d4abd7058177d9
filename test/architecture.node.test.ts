import { describe, expect, it } from 'vitest';
import { bannedWords, borders, lengths, sharedConstants, twins } from './architecture/checks.ts';
import { testedElsewhere } from './architecture/elsewhere.ts';
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

  it('shares numbers alone between the image core and its host', () => {
    expect(sharedConstants(wasm)).toEqual([]);
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
