import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  bannedWords,
  borders,
  lengths,
  misorderedPermissions,
  sharedConstants,
  stalePermissions,
  untested,
} from './architecture/checks.ts';
import { testedElsewhere } from './architecture/elsewhere.ts';
import { curlCommands, longLines, unlisted, unseeded } from './architecture/text_checks.ts';
import { quickTestsWithTools, strangePrograms } from './architecture/tool_checks.ts';
import { readTree } from './architecture/tree.ts';
import TOOLS from './fixtures/tools.json' with { type: 'json' };

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

  it('has a test for every file', () => {
    const files = [...src, ...client].filter(({ path }) => !path.endsWith('.d.ts'));
    expect(
      untested(
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

  it('has one way to call curl, and one name for the key', () => {
    const ends = ['.ts', '.js', '.mjs', '.html', '.md'];
    const folders = ['src', 'scripts', 'client', 'docs', 'deploy'];
    const files = folders.flatMap((folder) => ends.flatMap((end) => readTree(folder, end)));
    const readme = { path: 'README.md', text: readFileSync('README.md', 'utf8') };
    expect(readme.text).toContain('curl -sS --fail-with-body');
    expect(curlCommands([...files, readme])).toEqual([]);
  });

  it('says of every folder of tests what it guards', () => {
    expect(unlisted(tests, readFileSync('test/README.md', 'utf8'))).toEqual([]);
  });
});

describe('programs that are not of this project', () => {
  it('are needed by no test of the quick lane', () => {
    expect(quickTestsWithTools(tests)).toEqual([]);
  });

  it('are those of the table, and are asked for before a test starts them', () => {
    expect(
      strangePrograms(
        tests.filter(({ path }) => !path.startsWith('test/architecture/')),
        TOOLS.flatMap(({ commands }) => commands),
      ),
    ).toEqual([]);
  });
});
