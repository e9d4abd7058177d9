import { describe, expect, it } from 'vitest';
import {
  bannedWords,
  borders,
  holdsTypesOnly,
  lengths,
  misorderedPermissions,
  sharedConstants,
  stalePermissions,
  untested,
} from './checks.ts';
import { MAX_LINES, roomOf } from './rules.ts';
import { codeOf, importsOf, resolve, type SourceFile } from './tree.ts';

/** A tree of files for a test: path → text. */
const tree = (files: Record<string, string>): SourceFile[] =>
  Object.entries(files).map(([path, text]) => ({ path, text }));

describe('imports', () => {
  it('are found in every syntax, and whether they import types only', () => {
    const text = `import a from './a.ts';
import { b, type B } from './b.ts';
import type { C } from './c.ts';
import { type D, type E } from './d.ts';
import * as f from './f.ts';
import type * as g from './g.ts';
import h, { i } from './h.ts';
import {
  j,
  type K,
} from './j.ts';
import './side.ts';
export { l } from './l.ts';
export type { M } from './m.ts';
export * from './n.ts';
export * as o from './o.ts';
const p = await import('./p.ts');
export const q = "import x from './no.ts'";
// import r from './no.ts';
 * import s from './no.ts';
export function t(from: string) {
  return from;
}
`;
    expect(
      importsOf(text).map(({ specifier, typeOnly }) => `${specifier}${typeOnly ? ' type' : ''}`),
    ).toEqual([
      './a.ts',
      './b.ts',
      './c.ts type',
      './d.ts type',
      './f.ts',
      './g.ts type',
      './h.ts',
      './j.ts',
      './l.ts',
      './m.ts type',
      './n.ts',
      './o.ts',
      './side.ts',
      './p.ts',
    ]);
  });

  it('are resolved from the project’s root; package names stay as they are', () => {
    expect(resolve('src/a/b.ts', './c.ts')).toBe('src/a/c.ts');
    expect(resolve('src/a/b/c.ts', '../../core/instance.ts')).toBe('src/core/instance.ts');
    expect(resolve('src/a.ts', 'hono/cors')).toBe('hono/cors');
  });

  it('are looked for in the code without its comments', () => {
    expect(codeOf('/**\n * console.log\n */\na(); // console.log\nb("https://x");')).toBe(
      '\n\n\na();\nb("https://x");',
    );
  });
});

describe('borders', () => {
  // One of each kind: which room may import which is said by the table in rules.ts alone.
  it.each([
    ['src/metadata/scan.ts', "import { fault } from '../faults.ts';", 'metadata may not import faults'],
    ['src/ops/schema.ts', "export { scan } from '../metadata/scan.ts';", 'ops may not import metadata'],
    ['src/codecs/png/decoder.ts', "const a = import('../../api/errors.ts');", 'codecs may not import api'],
    [
      'src/pixels/crop.ts',
      "import { png } from '../codecs/png.ts';",
      'pixels may import only types of codecs',
    ],
    [
      'src/api/answers/errors.ts',
      "import { b } from '../caller/caller.ts';",
      'api/answers/errors may not import api/caller',
    ],
    [
      'src/core/constants.ts',
      "import { a } from '../../wasm/assembly/png/filter.ts';",
      'one of them is in no room',
    ],
    ['src/strange.ts', "import { a } from './faults.ts';", 'one of them is in no room'],
    ['src/sanitize/a.ts', "import type { Context } from 'hono';", 'only src/api/, src/app.ts may'],
    ['src/api/a.ts', "import x from 'left-pad';", 'the package is not in the table'],
  ])('forbid in %s: %s', (path, text, fault) => {
    const found = borders(tree({ [path]: text }));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(fault);
  });

  it.each([
    ['src/codecs/png/decoder.ts', "import type { FileFacts } from '../../metadata/facts.ts';"],
    ['src/codecs/png/a.ts', "import { b } from '../b.ts';"],
    ['src/api/mcp/run_tool.ts', "import { badRequest } from '../body/body_errors.ts';"],
    ['src/core/sizes.ts', "import { ALIGNMENT } from '../../wasm/assembly/constants.ts';"],
    ['client/error.ts', "import type { ErrorBody } from '../src/ops/responses.ts';"],
  ])('allow in %s: %s', (path, text) => {
    expect(borders(tree({ [path]: text }))).toEqual([]);
  });
});

describe('rooms', () => {
  it.each([
    ['src/codecs/png/decoder.ts', 'codecs'],
    ['src/api/answers/errors.ts', 'api/answers/errors'],
    ['src/api/answers/errors/more.ts', 'api/answers/errors'],
    ['src/api/answers/errors_more.ts', 'api/answers'],
    ['src/api/openapi/paths/account.ts', 'api/openapi'],
    ['src/api/other/a.ts', 'api'],
    ['src/faults.ts', 'faults'],
    ['models/a.onnx', 'models'],
    ['src/other/a.ts', undefined],
    ['test/a.ts', undefined],
  ])('%s is in %s', (path, room) => {
    expect(roomOf(path)).toBe(room);
  });
});

describe('permissions', () => {
  const files = tree({
    'src/api/a.ts': "import { a } from '../ops/a.ts';\nimport type { b } from '../metering/b.ts';",
    'src/api/body/a.ts': "import 'zod/mini';\nimport './b.ts';",
  });

  it('are stale if unused, or for values where types are enough', () => {
    const used = { api: { ops: 'values', metering: 'types' } } as const;
    expect(stalePermissions(files, used, [['zod', ['src/api/']]])).toEqual([]);
    expect(
      stalePermissions(files, { api: { metering: 'values', faces: 'types' }, ops: { api: 'types' } }, [
        ['zod', ['src/api/body/', 'src/ops/']],
        ['hono', ['src/api/']],
      ]),
    ).toEqual([
      'api may import values of metering, but imports only types',
      'api may import faces, but does not',
      'ops may import api, but does not',
      'src/ops/ may import zod, but does not',
      'src/api/ may import hono, but does not',
    ]);
  });

  it('are only for rooms before their own in the table', () => {
    expect(misorderedPermissions({ a: {}, b: { a: 'values' }, c: { a: 'types', b: 'types' } })).toEqual([]);
    expect(misorderedPermissions({ a: { b: 'types' }, b: { b: 'values', a: 'values' } })).toEqual([
      'a may import b, which does not come before it in the table',
      'b may import b, which does not come before it in the table',
    ]);
  });
});

describe('shared constants', () => {
  const path = 'wasm/assembly/png/constants.ts';

  it('are whole numbers with a name', () => {
    const text = '/** Why. */\n\nexport const ROW_LEAD = 16;\n// Which.\nexport const RGBA8 = 0;\n';
    expect(sharedConstants(tree({ [path]: text }))).toEqual([]);
  });

  it.each([
    'export const LEAD: i32 = 16;',
    'export const LEAD = 4 * 4;',
    'export const LEAD = rows();',
    "import { LEAD } from './filter';",
    "export * from './filter';",
    'export function lead(): i32 {',
    'const LEAD = 16;',
  ])('are not: %s', (line) => {
    expect(sharedConstants(tree({ [path]: `\n${line}\n` }))).toEqual([
      `${path}:2 is no constant, and the host imports this file`,
    ]);
    expect(sharedConstants(tree({ 'wasm/assembly/png/filter.ts': line }))).toEqual([]);
  });
});

describe('lengths', () => {
  const lines = (count: number) => 'x;\n'.repeat(count);

  it('have a limit, except for listed tables, which must need the exception', () => {
    const files = tree({
      'ok.ts': lines(MAX_LINES),
      'long.ts': lines(MAX_LINES + 1),
      'table.ts': lines(900),
    });
    expect(lengths(files, new Map([['table.ts', 'codes']]))).toEqual([
      `long.ts has ${MAX_LINES + 1} lines, more than ${MAX_LINES}`,
    ]);
    expect(lengths(files, new Map([['ok.ts', '']]))).toHaveLength(3);
  });
});

describe('banned words', () => {
  it.each([
    ['src/codecs/a.ts', 'console.log(1);'],
    ['src/playground/a.ts', 'console.log(1);'],
    ['client/a.ts', 'console.log(1);'],
    ['src/api/a.ts', 'console .error(1);'],
    ['src/sanitize/a.ts', 'const t = Date.now();'],
    ['src/pixels/a.ts', 'const t = new Date();'],
    ['src/metering/window.ts', 'const id = crypto.randomUUID();'],
    ['src/faces/a.ts', 'const x = Math.random();'],
    ['src/sanitize/a.ts', 'export function f(request: Request) {}'],
    ['src/codecs/a.ts', "return new Response('x');"],
    ['src/sanitize/a.ts', 'const f = (env: Env) => env;'],
    ['src/ops/a.ts', "import { z } from 'zod';"],
    ['src/api/a.ts', '// TODO: later'],
    ['wasm/assembly/a.ts', '/* FIXME */'],
  ])('are found in %s: %s', (path, text) => {
    expect(bannedWords(tree({ [path]: `\n${text}\n` }))).toEqual([expect.stringContaining(`${path}:2 `)]);
  });

  it.each([
    ['src/api/a.ts', 'const t = Date.now();'],
    ['src/metering/call_meter.ts', 'const t = Date.now();'],
    ['src/playground/result/snippets.ts', "'console.log(report);',"],
    ['src/playground/request_queue.ts', 'const t = Date.now();'],
    ['client/send.ts', 'return new Response(body);'],
    ['src/ops/a.ts', "import * as z from 'zod';"],
    ['src/metering/months.ts', 'const d = new Date(time);'],
    ['src/codecs/a.ts', '/** Not console.log. */'],
    ['src/api/a.ts', 'const todo = new Response();'],
    ['src/sanitize/a.ts', 'interface RequestedSize { readonly size: Size }'],
  ])('are not found in %s: %s', (path, text) => {
    expect(bannedWords(tree({ [path]: text }))).toEqual([]);
  });
});

describe('tests of files', () => {
  const code = 'export const a = 1;';
  const files = tree({
    'src/a/b.ts': code,
    'src/a/b/part.ts': code,
    'src/core/instance.ts': code,
    'src/app.ts': code,
  });

  it('are at the same path under test, with any suffix, or at that of the folder', () => {
    for (const name of ['b.test.ts', 'b.node.test.ts', 'b_fuzz.test.ts', 'b_fuzz.node.test.ts']) {
      expect(
        untested(files, [`test/a/${name}`, 'test/core/instance.test.ts', 'test/app.test.ts'], new Map()),
      ).toEqual([]);
    }
    expect(untested(files, ['test/a/bc.test.ts', 'test/a.test.ts', 'test/a/b.ts'], new Map())).toEqual([
      'src/a/b.ts has no test at test/a/b.test.ts, nor what imports it',
      'src/a/b/part.ts has no test at test/a/b/part.test.ts, nor what imports it',
      'src/core/instance.ts has no test at test/core/instance.test.ts, nor what imports it',
      'src/app.ts has no test at test/app.test.ts, nor what imports it',
    ]);
  });

  it('may be those of what imports a file, within its room', () => {
    const parts = tree({
      'src/api/mcp/a.ts': `import { b } from './b.ts';\nimport { c } from '../../core/c.ts';`,
      'src/api/mcp/b.ts': `import { d } from './d.ts';\n${code}`,
      'src/api/mcp/d.ts': code,
      'src/core/c.ts': code,
    });
    expect(untested(parts, ['test/api/mcp/a.test.ts'], new Map())).toEqual([
      'src/core/c.ts has no test at test/core/c.test.ts, nor what imports it',
    ]);
    const needless = new Map([['src/api/mcp/d.ts', 'test/core/c.test.ts: why']]);
    expect(untested(parts, ['test/api/mcp/a.test.ts', 'test/core/c.test.ts'], needless)).toEqual([
      "src/api/mcp/d.ts is listed and needn't be",
    ]);
  });

  it('may be elsewhere if a list says so, whose entries must be true', () => {
    const one = tree({ 'src/x.ts': code });
    expect(untested(one, ['test/y.test.ts'], new Map([['src/x.ts', 'test/y.test.ts: its caller']]))).toEqual(
      [],
    );
    expect(untested(one, [], new Map([['src/x.ts', 'test/y.test.ts: its caller']]))).toEqual([
      'src/x.ts is listed with test/y.test.ts, which does not exist',
    ]);
    expect(untested(one, [], new Map([['src/x.ts', 'no reason']]))).toHaveLength(1);
    expect(untested([], [], new Map([['src/x.ts', 'test/y.test.ts: gone']]))).toEqual([
      'src/x.ts is listed but does not exist',
    ]);
  });

  it('are not needed for files that only hold types', () => {
    const types =
      "import type { A } from './a.ts';\n/** A. */\nexport interface B {\n  readonly a: A;\n}\nexport type C = 'x' | B;\n";
    expect(holdsTypesOnly(types)).toBe(true);
    const values = ['function f() {}', 'export class A {}', 'export default {};', 'let x = 1;', 'enum A {}'];
    for (const rest of [code, 'run();', 'export async function f() {}', ...values]) {
      expect(holdsTypesOnly(`${types}${rest}\n`), rest).toBe(false);
    }
    expect(untested(tree({ 'src/x/types.ts': types }), [], new Map())).toEqual([]);
  });
});
