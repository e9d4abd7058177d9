import {
  banned,
  MAX_LINES,
  mayImport,
  type Permissions,
  packages,
  roomOf,
  SHARED_CONSTANTS,
  tables,
  UNFINISHED,
} from './rules.ts';
import { codeOf, importsOf, resolve, type SourceFile } from './tree.ts';

/** Each check returns the faults it finds, one sentence per fault. */

/** Every import is permitted by `mayImport` or `packages`. */
export function borders(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    importsOf(text).flatMap(({ specifier, typeOnly }) => {
      const target = resolve(path, specifier);
      const wrong = specifier.startsWith('.')
        ? borderCrossed(path, target, typeOnly)
        : packageMisplaced(path, specifier);
      return wrong ? [`${path} imports ${target}: ${wrong}`] : [];
    }),
  );
}

function borderCrossed(path: string, target: string, typeOnly: boolean): string | undefined {
  const from = roomOf(path);
  const to = roomOf(target);
  if (from === undefined || to === undefined) return 'one of them is in no room';
  if (from === to) return undefined;
  const reach = mayImport[from]?.[to];
  if (reach === undefined) return `${from} may not import ${to}`;
  return reach === 'types' && !typeOnly ? `${from} may import only types of ${to}` : undefined;
}

function packageMisplaced(path: string, name: string): string | undefined {
  const places = packages.find(([start]) => name.startsWith(start))?.[1];
  if (!places) return 'the package is not in the table of packages';
  return places.some((place) => path.startsWith(place)) ? undefined : `only ${places.join(', ')} may`;
}

/** Every permission of `mayImport` and `packages` is in use, and is for types only where that is enough. */
export function stalePermissions(
  files: readonly SourceFile[],
  rooms: Permissions = mayImport,
  places: typeof packages = packages,
): string[] {
  const imports = files.flatMap(({ path, text }) =>
    importsOf(text).map(({ specifier, typeOnly }) => ({
      path,
      target: resolve(path, specifier),
      isPackage: !specifier.startsWith('.'),
      typeOnly,
    })),
  );
  const stale = Object.entries(rooms).flatMap(([from, targets]) =>
    Object.entries(targets).flatMap(([to, reach]) => {
      const used = imports.filter(
        ({ path, target, isPackage }) => !isPackage && roomOf(path) === from && roomOf(target) === to,
      );
      if (used.length === 0) return [`${from} may import ${to}, but does not`];
      const needsValues = used.some(({ typeOnly }) => !typeOnly);
      return reach === 'values' && !needsValues
        ? [`${from} may import values of ${to}, but imports only types`]
        : [];
    }),
  );
  const unused = places.flatMap(([name, starts]) =>
    starts
      .filter(
        (start) => !imports.some(({ path, target }) => path.startsWith(start) && target.startsWith(name)),
      )
      .map((start) => `${start} may import ${name}, but does not`),
  );
  return [...stale, ...unused];
}

/** Rooms may import only rooms before them in the table, so that the table permits no circle of rooms. */
export function misorderedPermissions(rooms: Permissions = mayImport): string[] {
  const order = Object.keys(rooms);
  return Object.entries(rooms).flatMap(([from, targets]) =>
    Object.keys(targets)
      .filter((to) => !order.slice(0, order.indexOf(from)).includes(to))
      .map((to) => `${from} may import ${to}, which does not come before it in the table`),
  );
}

/**
 * The files that the image core and its host share hold constants of whole numbers and nothing else: what
 * AssemblyScript and TypeScript take for the same.
 */
export function sharedConstants(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => SHARED_CONSTANTS.test(path))
    .flatMap(({ path, text }) =>
      codeOf(text)
        .split('\n')
        .flatMap((line, i) =>
          /^(?:export const [A-Z][A-Z\d_]* = \d+;)?$/.test(line)
            ? []
            : [`${path}:${i + 1} is no constant, and the host imports this file`],
        ),
    );
}

/** No file is longer than MAX_LINES, except tables. */
export function lengths(
  files: readonly SourceFile[],
  excepted: ReadonlyMap<string, string> = tables,
): string[] {
  const long = files.filter(({ text }) => text.trimEnd().split('\n').length > MAX_LINES);
  const stale = [...excepted.keys()].filter((path) => !long.some((file) => file.path === path));
  return [
    ...long
      .filter(({ path }) => !excepted.has(path))
      .map(
        ({ path, text }) => `${path} has ${text.trimEnd().split('\n').length} lines, more than ${MAX_LINES}`,
      ),
    ...stale.map((path) => `${path} is excepted from the limit of lines and needn't be`),
  ];
}

/** No code contains what `banned` excludes from its path, and no file contains a word of UNFINISHED. */
export function bannedWords(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const code = codeOf(text).split('\n');
    const faults = banned
      .filter(({ from, except = [] }) => starts(path, from) && !starts(path, except))
      .flatMap(({ pattern, why }) =>
        code.flatMap((line, i) =>
          pattern.test(line) ? [`${path}:${i + 1} has ${pattern.exec(line)![0]}: ${why}`] : [],
        ),
      );
    const unfinished = text
      .split('\n')
      .flatMap((line, i) => (UNFINISHED.test(line) ? [`${path}:${i + 1} marks unfinished work`] : []));
    return [...faults, ...unfinished];
  });
}

const starts = (path: string, beginnings: readonly string[]) =>
  beginnings.some((start) => path.startsWith(start));

/**
 * Every file is tested: at its own path under test/ (`src/a/b.ts` → `test/a/b.test.ts`, also
 * `b.node.test.ts`, `b_more.test.ts`), at its folder's (`src/a/b/c.ts` → `test/a/b.test.ts`, or
 * `test/a/b/decoder.test.ts`: the folder's files are parts of one whole), as a part of such a file, which
 * imports it within their room, or where `elsewhere` says. Files that hold types only need no test.
 * @param tests paths of test files
 * @param elsewhere path → the test that covers it, a colon, and why there
 */
export function untested(
  files: readonly SourceFile[],
  tests: readonly string[],
  elsewhere: ReadonlyMap<string, string>,
): string[] {
  const reached = partsOf(files, new Set(files.flatMap(({ path }) => (hasTest(path, tests) ? [path] : []))));
  const stale = [...elsewhere].flatMap(([path, reason]) => {
    if (!files.some((file) => file.path === path)) return [`${path} is listed but does not exist`];
    if (reached.has(path)) return [`${path} is listed and needn't be`];
    const covering = /^(\S+\.test\.ts): ./.exec(reason)?.[1];
    if (covering === undefined) return [`${path} is listed without a test and a reason`];
    return tests.includes(covering) ? [] : [`${path} is listed with ${covering}, which does not exist`];
  });
  const all = partsOf(files, new Set([...reached, ...elsewhere.keys()]));
  const without = files
    .filter(({ path, text }) => !all.has(path) && !holdsTypesOnly(text))
    .map(({ path }) => `${path} has no test at ${testPath(path)}.test.ts, nor what imports it`);
  return [...without, ...stale];
}

function hasTest(path: string, tests: readonly string[]): boolean {
  const tested = (stem: string) =>
    tests.some((test) => test.startsWith(stem) && /^([._][\w.-]*)?\.test\.ts$/.test(test.slice(stem.length)));
  const stem = testPath(path);
  const folder = stem.slice(0, stem.lastIndexOf('/'));
  const inSubfolder = folder.split('/').length > 2;
  return tested(stem) || (inSubfolder && (tested(folder) || tested(`${folder}/decoder`)));
}

/** These files and all that they import within their rooms. */
function partsOf(files: readonly SourceFile[], whole: ReadonlySet<string>): ReadonlySet<string> {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const found = new Set(whole);
  // A set is walked to its end while it grows.
  for (const path of found) {
    for (const { specifier, typeOnly } of importsOf(texts.get(path) ?? '')) {
      const part = resolve(path, specifier);
      if (!typeOnly && texts.has(part) && roomOf(part) === roomOf(path)) found.add(part);
    }
  }
  return found;
}

const testPath = (path: string) => `test/${path.replace(/^src\//, '').replace(/\.ts$/, '')}`;

/** What begins a line that is left when a file runs: a declaration, or a call. */
const VALUE = new RegExp(
  [
    String.raw`^(?:export\s+)?(?:default\s|const\s|let\s|var\s|(?:async\s+)?function\b|(?:abstract\s+)?class\s|enum\s)`,
    String.raw`^[\w[('\`]+[\w.]*\(`,
  ].join('|'),
  'm',
);

/** Whether nothing of the file is left when it runs: imports, types and comments only. */
export function holdsTypesOnly(text: string): boolean {
  return !VALUE.test(codeOf(text));
}
