import { describe, expect, it } from 'vitest';
import { curlCommands, longLines, MAX_CHARACTERS, unlisted, unseeded } from './text_checks.ts';
import type { SourceFile } from './tree.ts';

/** A made-up tree: path → text. */
const tree = (files: Record<string, string>): SourceFile[] =>
  Object.entries(files).map(([path, text]) => ({ path, text }));

it('long lines are comments of more characters, not of more bytes: the formatter breaks code', () => {
  const wide = (count: number, character = 'x') => character.repeat(count - 3);
  const lines = [`// ${wide(MAX_CHARACTERS, 'ä')}`, `// ${wide(MAX_CHARACTERS, '😀')}`, `'${wide(200)}'`];
  expect(longLines(tree({ 'a.ts': lines.join('\n') }))).toEqual([]);
  const longer = wide(MAX_CHARACTERS + 1);
  const comments = tree({ 'a.ts': `\n// ${longer}\n * ${longer}\na(); // ${longer}` });
  const counts = [1, 1, 6].map((more, i) => `a.ts:${i + 2} has ${MAX_CHARACTERS + more} characters`);
  expect(longLines(comments)).toEqual(counts);
});

describe('random tests', () => {
  it.each([
    'fc.assert(\n  fc.property(fc.nat(), (a) => {\n    f(a);\n  }),\n);',
    'fc.assert(property, { numRuns: 5 });',
    'const runs = { numRuns: 5 };\nfc.assert(property, runs);',
    'fc.sample(way, 20);',
    'const x = Math.random();',
  ])('without a seed: %j', (text) => {
    expect(unseeded(tree({ 'a.test.ts': text }))).toHaveLength(1);
  });

  it.each([
    'fc.assert(property, { numRuns: 5, seed: 7 });',
    'fc.assert(property, { seed });',
    'fc.sample(way, { seed: SEED, numRuns });',
    'const runs = { seed: 4, numRuns: 60 };\nfc.assert(property, { ...runs, numRuns: 9 });',
    "const x = 'Math.random';",
  ])('with one: %j', (text) => {
    expect(unseeded(tree({ 'a.test.ts': text }))).toEqual([]);
  });
});

describe('the table of tests', () => {
  const files = tree({ 'test/app.test.ts': '', 'test/api/a.test.ts': '', 'test/api/body/b.ts': '' });
  const readme = (...names: string[]) =>
    `| \`x/\` | y |\n\n| Folder or file | |\n| --- | --- |\n| ${names.join(', ')} | \`z/\` |`;

  it('names every folder', () => {
    expect(unlisted(files, readme('`api/`', '`api/body/`'))).toEqual([]);
    expect(unlisted(files, readme('`api/`', '`app.test.ts`'))).toEqual([
      'test/api/body/ is not in the table',
    ]);
  });

  it('names nothing that is gone', () => {
    expect(unlisted(files, readme('`api/`', '`api/body/`', '`x/`', '`b.test.ts`'))).toEqual([
      'test/x/ is in the table and does not exist',
      'test/b.test.ts is in the table and does not exist',
    ]);
  });
});

describe('curl commands', () => {
  it('fail where they are refused, and name keys alike', () => {
    const good = 'curl -sS --fail-with-body x \\\n  -H "Authorization: Bearer $IMAGE_SANITIZER_KEY"';
    expect(
      curlCommands(tree({ 'a.md': good, 'b.ts': 'as in curl -F, (curl -d needs a type) Bearer x' })),
    ).toEqual([]);
    expect(
      curlCommands(
        tree({ 'a.md': '  curl -sS x\nprintf x | curl -sS y', 'b.md': '-H "Authorization: Bearer $KEY"' }),
      ),
    ).toEqual([
      'a.md:1 calls curl without --fail-with-body',
      'a.md:2 calls curl without --fail-with-body',
      'b.md:1 names a key $KEY',
    ]);
  });
});
