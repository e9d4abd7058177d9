import { describe, expect, it } from 'vitest';
import { bannedWords, borders, cycles, lengths, twins } from './architecture/checks.ts';
import { testedElsewhere } from './architecture/elsewhere.ts';
import { readTree } from './architecture/tree.ts';

const src = [...readTree('src'), ...readTree('src/reference', '.js')];
const client = readTree('client');
const wasm = readTree('wasm');
const tests = readTree('test');

describe('the house', () => {
  it('is there: the checks below look at real files', () => {
    expect(src.length).toBeGreaterThan(100);
    expect(client.length).toBeGreaterThan(3);
    expect(wasm.length).toBeGreaterThan(50);
    expect(tests.length).toBeGreaterThan(100);
  });

  it('keeps its borders', () => {
    expect(borders([...src, ...client])).toEqual([]);
  });

  it('has no circular imports', () => {
    expect(cycles([...src, ...client, ...tests])).toEqual([]);
  });

  it('has no file over the limit of lines', () => {
    expect(
      lengths([...src, ...client, ...wasm, ...tests, ...readTree('scripts'), ...readTree('scripts', '.mjs')]),
    ).toEqual([]);
  });

  it('has nothing in its code that belongs elsewhere, and no unfinished work', () => {
    expect(bannedWords([...src, ...client, ...wasm])).toEqual([]);
  });

  it('has a test beside every file', () => {
    const files = [...src, ...client].filter(({ path }) => !path.endsWith('.d.ts'));
    expect(
      twins(
        files,
        tests.map(({ path }) => path),
        testedElsewhere,
      ),
    ).toEqual([]);
  });
});
