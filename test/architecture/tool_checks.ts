import { codeOf, importsOf, resolve, type SourceFile } from './tree.ts';

/** Each check gives what it finds wrong, one sentence a fault; nothing when all is well. */

/** Where tests ask for the programs of the table. */
const TOOLS = 'test/fixtures/tools.ts';
/** Programs that every machine with Node.js and npm has. */
const EVERYWHERE = ['sh', '/bin/sh', 'mkfifo', 'npm'];

const isQuickTest = (path: string) =>
  /\.test\.ts$/.test(path) && !/\.slow\.|^test\/(?:browser|served)\//.test(path);

/** Files that ask whether a program is installed, and so may skip a test or let it fail. */
const asks = ({ path, text }: SourceFile) =>
  path !== TOOLS &&
  importsOf(text).some(({ specifier }) => resolve(path, specifier) === TOOLS) &&
  /\b(?:haveTools|toolPath)\b/.test(text);

/**
 * No test of the quick lane imports, over any files, one that asks for a program that `npm ci` does not
 * bring. The table's own test does, with paths of its own.
 */
export function quickTestsWithTools(tests: readonly SourceFile[]): string[] {
  const byPath = new Map(tests.map((file) => [file.path, file]));
  const faults: string[] = [];
  for (const { path } of tests) {
    if (!isQuickTest(path) || path === 'test/fixtures/tools.node.test.ts') continue;
    const seen = new Set<string>();
    const next = [path];
    for (let at = next.pop(); at !== undefined; at = next.pop()) {
      const file = byPath.get(at);
      if (!file || seen.has(at)) continue;
      seen.add(at);
      if (asks(file)) faults.push(`${path} is of the quick lane and imports ${at}, which needs a program`);
      for (const { specifier, typeOnly } of importsOf(file.text)) {
        if (!typeOnly) next.push(resolve(at, specifier));
      }
    }
  }
  return faults;
}

/** A program that is started by its name, as a literal. */
const START = /(?<![.\w])(?:spawn|spawnSync|execFile|execFileSync)\(\s*'([\w./-]+)'/g;

/**
 * Every program that tests start by name is one of the table, in a file that asks for it; or one that is
 * everywhere. @param commands of the table
 */
export function strangePrograms(tests: readonly SourceFile[], commands: readonly string[]): string[] {
  return tests.flatMap((file) =>
    [...codeOf(file.text).matchAll(START)]
      .map(([, program]) => program!)
      .filter((program) => !EVERYWHERE.includes(program))
      .flatMap((program) => {
        if (!commands.includes(program)) return [`${file.path} starts ${program}, which the table lacks`];
        const isAsked =
          asks(file) || importsOf(file.text).some(({ specifier }) => /_tools\.ts$/.test(specifier));
        return isAsked ? [] : [`${file.path} starts ${program} and does not ask whether it is there`];
      }),
  );
}
