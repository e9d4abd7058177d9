import { describe, expect, it } from 'vitest';
import { bannedWords, borders, cycles, holdsTypesOnly, lengths, twins } from './checks.ts';
import { MAX_LINES } from './rules.ts';
import { codeOf, importsOf, resolve, type SourceFile } from './tree.ts';

/** A made-up tree: path → text. */
const tree = (files: Record<string, string>): SourceFile[] =>
  Object.entries(files).map(([path, text]) => ({ path, text }));

describe('imports', () => {
  it('are found in every form, with whether they are of types only', () => {
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

  it('lead where they lead', () => {
    expect(resolve('src/a/b.ts', './c.ts')).toBe('src/a/c.ts');
    expect(resolve('src/a/b/c.ts', '../../core/instance.ts')).toBe('src/core/instance.ts');
    expect(resolve('src/a.ts', 'hono/cors')).toBe('hono/cors');
  });

  it('and words in comments are no code', () => {
    expect(codeOf('/**\n * console.log\n */\na(); // console.log\nb("https://x");')).toBe(
      '\n\n\na();\nb("https://x");',
    );
  });
});

describe('borders', () => {
  it.each([
    ['src/metadata/scan.ts', "import { fault } from '../faults.ts';", 'metadata may not import faults'],
    [
      'src/metadata/scan.ts',
      "import type { Raster } from '../codecs/types.ts';",
      'metadata may not import codecs',
    ],
    [
      'src/codecs/png/decoder.ts',
      "import { scan } from '../../metadata/scan.ts';",
      'codecs may import only types of metadata',
    ],
    [
      'src/codecs/png/decoder.ts',
      "import { crop } from '../../pixels/crop.ts';",
      'codecs may not import pixels',
    ],
    ['src/codecs/tiff/a.ts', "import { a } from '../../sanitize/plan.ts';", 'codecs may not import sanitize'],
    [
      'src/pixels/crop.ts',
      "import { png } from '../codecs/png.ts';",
      'pixels may import only types of codecs',
    ],
    ['src/faces/a.ts', "import { scan } from '../metadata/scan.ts';", 'faces may not import metadata'],
    ['src/ops/schema.ts', "export { scan } from '../metadata/scan.ts';", 'ops may not import metadata'],
    [
      'src/metering/a.ts',
      "import type { Raster } from '../codecs/types.ts';",
      'metering may not import codecs',
    ],
    ['src/sanitize/a.ts', "import { b } from '../api/errors.ts';", 'sanitize may not import api'],
    ['src/api/a.ts', "import { app } from '../app.ts';", 'api may not import app'],
    ['src/index.ts', "import { a } from './api/errors.ts';", 'index may not import api'],
    ['src/core/instance.ts', "import { a } from '../codecs/types.ts';", 'core may not import codecs'],
    ['src/codecs/png/decoder.ts', "const a = import('../../api/errors.ts');", 'codecs may not import api'],
    ['src/strange.ts', "import { a } from './faults.ts';", 'one of them is in no room'],
    ['src/api/a.ts', "import { a } from '../../test/a.ts';", 'one of them is in no room'],
    ['src/sanitize/a.ts', "import type { Context } from 'hono';", 'only src/api/, src/app.ts may'],
    [
      'src/faces/detector.ts',
      "import * as ort from 'onnxruntime-web/wasm';",
      'only src/faces/session.ts may',
    ],
    ['src/api/a.ts', "import x from 'left-pad';", 'the package is not in the table'],
  ])('closed: %s with %s', (path, text, fault) => {
    const found = borders(tree({ [path]: text }));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(fault);
  });

  it.each([
    ['src/codecs/png/decoder.ts', "import type { FileFacts } from '../../metadata/facts.ts';"],
    ['src/codecs/png/decoder.ts', "import { createCore } from '../../core/instance.ts';"],
    ['src/codecs/png/a.ts', "import { b } from '../b.ts';"],
    ['src/pixels/crop.ts', "import { fault } from '../faults.ts';"],
    ['src/faces/a.ts', "import { crop } from '../pixels/crop.ts';"],
    ['src/faces/session.ts', "import * as ort from 'onnxruntime-web/wasm';"],
    ['src/sanitize/a.ts', "import { scan } from '../metadata/scan.ts';"],
    ['src/app.ts', "import { errors } from './api/errors.ts';"],
    ['src/core/png.ts', "import { fault } from '../faults.ts';"],
  ])('open: %s with %s', (path, text) => {
    expect(borders(tree({ [path]: text }))).toEqual([]);
  });
});

describe('cycles', () => {
  it('are found, each once, however long', () => {
    const files = tree({
      'a.ts': "import './b.ts';\nimport './d.ts';",
      'b.ts': "import { c } from './c.ts';",
      'c.ts': "export * from './a.ts';",
      'd.ts': "import './d.ts';\nimport './c.ts';",
      'e.ts': "import './a.ts';",
    });
    const found = cycles(files);
    expect(found).toContain('a.ts → b.ts → c.ts → a.ts');
    expect(found).toContain('d.ts → d.ts');
    expect(new Set(found).size).toBe(found.length);
  });

  it('are none where types alone close the ring, or where ways only meet', () => {
    const files = tree({
      'a.ts': "import './b.ts';\nimport './c.ts';",
      'b.ts': "import './c.ts';\nimport type { A } from './a.ts';",
      'c.ts': "import 'left-pad';",
    });
    expect(cycles(files)).toEqual([]);
  });
});

describe('lengths', () => {
  const lines = (count: number) => 'x;\n'.repeat(count);

  it('have a limit, and tables their exception, for as long as it is needed', () => {
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
    ['src/api/a.ts', 'console .error(1);'],
    ['src/sanitize/a.ts', 'const t = Date.now();'],
    ['src/pixels/a.ts', 'const t = new Date();'],
    ['src/metering/window.ts', 'const id = crypto.randomUUID();'],
    ['src/faces/a.ts', 'const x = Math.random();'],
    ['src/sanitize/a.ts', 'export function f(request: Request) {}'],
    ['src/codecs/a.ts', "return new Response('x');"],
    ['src/sanitize/a.ts', 'const f = (env: Env) => env;'],
    ['src/api/a.ts', '// TODO: later'],
    ['wasm/assembly/a.ts', '/* FIXME */'],
  ])('in %s: %s', (path, text) => {
    expect(bannedWords(tree({ [path]: `\n${text}\n` }))).toEqual([expect.stringContaining(`${path}:2 `)]);
  });

  it.each([
    ['src/api/a.ts', 'const t = Date.now();'],
    ['src/metering/call_meter.ts', 'const t = Date.now();'],
    ['src/metering/months.ts', 'const d = new Date(time);'],
    ['src/codecs/a.ts', '/** Not console.log. */'],
    ['src/api/a.ts', 'const todo = new Response();'],
    ['src/sanitize/a.ts', 'interface RequestedSize { readonly size: Size }'],
  ])('not in %s: %s', (path, text) => {
    expect(bannedWords(tree({ [path]: text }))).toEqual([]);
  });
});

describe('twins', () => {
  const code = 'export const a = 1;';
  const files = tree({
    'src/a/b.ts': code,
    'src/a/b/part.ts': code,
    'src/core/instance.ts': code,
    'src/app.ts': code,
  });

  it('stand at the same path, by any of its names, or at the folder’s', () => {
    for (const name of ['b.test.ts', 'b.node.test.ts', 'b_fuzz.test.ts', 'b_fuzz.node.test.ts']) {
      expect(
        twins(files, [`test/a/${name}`, 'test/core/instance.test.ts', 'test/app.test.ts'], new Map()),
      ).toEqual([]);
    }
    expect(twins(files, ['test/a/bc.test.ts', 'test/a.test.ts', 'test/a/b.ts'], new Map())).toEqual([
      'src/a/b.ts has no test at test/a/b.test.ts',
      'src/a/b/part.ts has no test at test/a/b/part.test.ts',
      'src/core/instance.ts has no test at test/core/instance.test.ts',
      'src/app.ts has no test at test/app.test.ts',
    ]);
  });

  it('may be elsewhere, where the list says so and says true', () => {
    const one = tree({ 'src/x.ts': code });
    expect(twins(one, ['test/y.test.ts'], new Map([['src/x.ts', 'test/y.test.ts: its caller']]))).toEqual([]);
    expect(twins(one, [], new Map([['src/x.ts', 'test/y.test.ts: its caller']]))).toEqual([
      'src/x.ts is listed with test/y.test.ts, which does not exist',
    ]);
    expect(twins(one, [], new Map([['src/x.ts', 'no reason']]))).toHaveLength(1);
    expect(twins([], [], new Map([['src/x.ts', 'test/y.test.ts: gone']]))).toEqual([
      'src/x.ts is listed but does not exist',
    ]);
  });

  it('aren’t needed by types alone', () => {
    const types =
      "import type { A } from './a.ts';\n/** A. */\nexport interface B {\n  readonly a: A;\n}\nexport type C = 'x' | B;\n";
    expect(holdsTypesOnly(types)).toBe(true);
    for (const rest of [
      'export const a = 1;',
      'function f() {}',
      'export class A {}',
      'run();',
      'export default {};',
      'export async function f() {}',
      'let x = 1;',
      'enum A {}',
    ]) {
      expect(holdsTypesOnly(`${types}${rest}\n`), rest).toBe(false);
    }
    expect(twins(tree({ 'src/x/types.ts': types }), [], new Map())).toEqual([]);
  });
});
