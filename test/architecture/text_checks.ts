import { codeOf, type SourceFile } from './tree.ts';

/** Each check gives what it finds wrong, one sentence a fault; nothing when all is well. */

/** The formatter breaks code of more characters, and leaves comments as they are. */
export const MAX_CHARACTERS = 110;

/** No line that ends in a comment, or is one, has more than MAX_CHARACTERS characters. */
export function longLines(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, i) => {
      const isTooLong = [...line].length > MAX_CHARACTERS && codeOf(line) !== line;
      return isTooLong ? [`${path}:${i + 1} has ${[...line].length} characters`] : [];
    }),
  );
}

/** Where random values begin: fast-check's runs and samples. */
const RANDOM_RUN = /\bfc\.(?:assert|check|sample)\(/g;

/** Every random test says its seed, itself or by a constant named `runs`, and none draws from Math.random. */
export function unseeded(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const code = codeOf(text);
    const lineOf = (at: number) => code.slice(0, at).split('\n').length;
    const runs = /\bconst runs = \{[^}]*\bseed\b/.test(code);
    const calls = [...code.matchAll(RANDOM_RUN)]
      .filter(({ index }) => {
        const call = code.slice(index, endOfCall(code, index));
        return !(/\bseed\b/i.test(call) || (runs && /\bruns\b/.test(call)));
      })
      .map(({ 0: name, index }) => `${path}:${lineOf(index)} calls ${name.slice(0, -1)} without a seed`);
    const draws = [...code.matchAll(/(?<!['"`])\bMath\.random\b/g)].map(
      () => `${path} draws from Math.random`,
    );
    return [...calls, ...draws];
  });
}

/** Behind the parenthesis that closes the first one from here; no string has one alone. */
function endOfCall(code: string, from: number): number {
  let depth = 0;
  for (let at = from; at < code.length; at++) {
    if (code[at] === '(') depth++;
    if (code[at] === ')' && --depth === 0) return at + 1;
  }
  return code.length;
}

/** Every folder with a TypeScript file has a row in the table, as `path/`, and all named there exists. */
export function unlisted(files: readonly SourceFile[], readme: string): string[] {
  const folders = new Set(
    files.map(({ path }) => path.slice('test/'.length, path.lastIndexOf('/') + 1)).filter(Boolean),
  );
  const table = readme.slice(readme.indexOf('| Folder or file |'));
  const named = new Set(
    table
      .split('\n')
      .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name!)),
  );
  const exists = (name: string) =>
    name.endsWith('/') ? folders.has(name) : files.some(({ path }) => path === `test/${name}`);
  return [
    ...[...folders]
      .filter((folder) => !named.has(folder))
      .map((folder) => `test/${folder} is not in the table`),
    ...[...named]
      .filter((name) => !exists(name))
      .map((name) => `test/${name} is in the table and does not exist`),
  ];
}

/** Variables that stand for keys in shell commands: a caller's, and the operator's token. */
const KEY_VARIABLES = ['IMAGE_SANITIZER_KEY', 'ADMIN_TOKEN'];

/** Every curl command fails where it is refused, and takes its key from a variable of these names. */
export function curlCommands(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, i) => {
      const isCommand = /(?:^\s*|[|`'"&;]\s*)curl\s+-/.test(line);
      const variable = /Bearer \$(\w+)/.exec(line)?.[1];
      return [
        ...(isCommand && !line.includes('--fail-with-body')
          ? [`${path}:${i + 1} calls curl without --fail-with-body`]
          : []),
        ...(variable !== undefined && !KEY_VARIABLES.includes(variable)
          ? [`${path}:${i + 1} names a key $${variable}`]
          : []),
      ];
    }),
  );
}
