import { describe, expect, it } from 'vitest';
import {
  bannedWords,
  borders,
  lengths,
  misorderedPermissions,
  sharedConstants,
  stalePermissions,
  twins,
} from './architecture/checks.ts';
import { testedElsewhere } from './architecture/elsewhere.ts';
import { readTree } from './architecture/tree.ts';

const src = [...readTree('src'), ...readTree('src/reference', '.js')];
const client = readTree('client');
const wasm = readTree('wasm');
const tests = readTree('test');

describe('the source tree', () => {
  it('is found by the checks below', () => {
    expect(src.length).toBeGreaterThan(100);
    expect(client.length).toBeGreaterThan(3);
    expect(wasm.length).toBeGreaterThan(50);
    expect(tests.length).toBeGreaterThan(100);
  });

  it('imports only what the rules permit', () => {
    expect(borders([...src, ...client])).toEqual([]);
  });

  it('uses every permission of the rules, which permit no circle of rooms', () => {
    expect(stalePermissions([...src, ...client])).toEqual([]);
    expect(misorderedPermissions()).toEqual([]);
  });

  it('shares numbers alone between the image core and its host', () => {
    expect(sharedConstants(wasm)).toEqual([]);
  });

  it('has no file over the limit of lines', () => {
    expect(
      lengths([...src, ...client, ...wasm, ...tests, ...readTree('scripts'), ...readTree('scripts', '.mjs')]),
    ).toEqual([]);
  });

  it('has no banned words and no marks of unfinished work', () => {
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
