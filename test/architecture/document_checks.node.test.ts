import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { openApiDocument } from '../../src/api/openapi/document.ts';
import { fileExtensions } from '../../src/metadata/extensions.ts';
import { opOrder, sanitizeOpsSchema } from '../../src/ops/schema.ts';
import {
  formatLists,
  longPages,
  type Members,
  misorderedOps,
  undescribedAddresses,
  undescribedOps,
  unhookedFormats,
  unnamedFormats,
} from './document_checks.ts';
import { readTree, type SourceFile } from './tree.ts';

const file = (path: string): SourceFile => ({ path, text: readFileSync(path, 'utf8') });
const section = ({ path, text }: SourceFile, heading: string): SourceFile => ({
  path,
  text: new RegExp(`^## ${heading}\n[^]*?(?=^## )`, 'm').exec(text)?.[0] ?? '',
});

const read = Object.keys(fileExtensions);
const written = sanitizeOpsSchema.shape.output.def.innerType.shape.format.def.innerType.options;
const ops = z.toJSONSchema(sanitizeOpsSchema, { io: 'input' }) as Members;
const { paths } = openApiDocument('');
const readme = file('README.md');

describe('the formats', () => {
  it('stand in every list of them', () => {
    const files = [
      ...['src', 'client'].flatMap((folder) => readTree(folder)),
      ...readTree('docs', '.md'),
      ...['README.md', 'SECURITY.md'].map(file),
    ];
    expect(formatLists(files, read, written)).toEqual([]);
    const found = formatLists(files, [...read, 'nope'], [...written, 'avif']);
    const places = new Set(found.map((fault) => fault.split(':')[0]));
    expect([...places]).toEqual(expect.arrayContaining(['README.md', 'docs/glossary.md']));
  });

  it('may have a note in brackets in a list', () => {
    const list = (text: string) => formatLists([{ path: 'a.md', text }], ['jpeg', 'png', 'gif', 'bmp'], []);
    expect(list('JPEG, PNG, GIF (first frame, or Page) and BMP')).toEqual([]);
    expect(list('JPEG, PNG (BMP), GIF')).toEqual(['a.md:1 lists formats without BMP']);
  });

  it('are all passed by the hook of pre-commit', () => {
    const hooks = file('.pre-commit-hooks.yaml');
    expect(unhookedFormats(hooks, read)).toEqual([]);
    expect(unhookedFormats(hooks, ['nope'])).toEqual(['.pre-commit-hooks.yaml: types_or lacks nope']);
  });

  it('are told of where the program’s text says what each becomes', () => {
    const cli = file('docs/cli.md');
    expect(unnamedFormats(cli, read)).toEqual([]);
    expect(unnamedFormats(cli, ['nope'])).toEqual(['docs/cli.md never names NOPE']);
  });
});

describe('the README', () => {
  it('has every op in its table', () => {
    const table = section(readme, 'Ops');
    expect(undescribedOps(table, ops)).toEqual([]);
    const more = { properties: { output: { properties: { nope: {} } } } };
    expect(undescribedOps(table, more)).toEqual(['README.md: the table of ops lacks output.nope']);
  });

  it('tells the order of the ops', () => {
    expect(misorderedOps(readme, opOrder)).toEqual([]);
    expect(misorderedOps(readme, [...opOrder].reverse())[0]).toMatch(/^README.md: expected the order/);
  });

  it('has every address in its table', () => {
    const table = section(readme, 'Calling it');
    expect(undescribedAddresses(table, paths)).toEqual([]);
    const more = {
      '/v1/nope': { get: { operationId: 'a', tags: ['Keys'] } },
      '/x': { get: { operationId: 'b', tags: ['Pages'] } },
    };
    expect(undescribedAddresses(table, more)).toEqual(['README.md: the table of addresses lacks /v1/nope']);
  });
});

describe('pages that are read in one go', () => {
  it('are short', () => {
    const rooms = ['src', 'wasm'].flatMap((folder) => readTree(folder, 'README.md'));
    expect(rooms.length).toBeGreaterThan(3);
    expect(longPages(rooms, file('docs/architecture.md'))).toEqual([]);
    const long = { path: 'src/long/README.md', text: 'a line\n'.repeat(61) };
    const wordy = { path: 'docs/wordy.md', text: 'word '.repeat(1001) };
    expect(longPages([long], wordy)).toEqual([
      'src/long/README.md has 61 lines of at most 60',
      'docs/wordy.md has 1001 words of at most 1000',
    ]);
  });
});
