import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file of the project, by its path from the project's root, with forward slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** The paths of all files under a folder; those of built files and packages are not even walked through. */
function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name).replaceAll('\\', '/');
    if (entry.isFile()) return [path];
    return entry.isDirectory() && !['node_modules', 'build'].includes(entry.name) ? filesUnder(path) : [];
  });
}

/** All files with this ending under a folder, sorted by path. Built files and packages are left out. */
export function readTree(folder: string, ending = '.ts'): SourceFile[] {
  return filesUnder(folder)
    .filter((path) => path.endsWith(ending))
    .sort()
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}

/** One `import` or `export … from`. */
interface Import {
  /** As written, e.g. `../faults.ts` or `hono`. */
  readonly specifier: string;
  /** Whether it imports types only, which are erased by the compiler. */
  readonly typeOnly: boolean;
}

const NAMES = String.raw`\{[^}]*\}`;
const ALL = String.raw`\*(?:\s+as\s+\w+)?`;
const STATIC = new RegExp(
  String.raw`^(?:import|export)\s+(type\s+)?((?:\w+\s*,?\s*)?(?:${NAMES}|${ALL})?)\s*from\s*['"]([^'"]+)['"]`,
  'gm',
);
const SIDE_EFFECT = /^import\s*['"]([^'"]+)['"]/gm;
const DYNAMIC = /\bimport\(\s*['"]([^'"]+)['"]/g;

/**
 * Every import of a file, static, dynamic and re-exported. Expects formatted code, with a statement at the
 * beginning of its line.
 */
export function importsOf(text: string): Import[] {
  const found: Import[] = [];
  for (const [, type, clause, specifier] of text.matchAll(STATIC)) {
    const names = /^\{([^}]*)\}$/.exec(clause!.trim())?.[1];
    const everyNameIsType = names
      ?.split(',')
      .filter((name) => name.trim() !== '')
      .every((name) => /^\s*type\s/.test(name));
    found.push({ specifier: specifier!, typeOnly: type !== undefined || (everyNameIsType ?? false) });
  }
  for (const [, specifier] of text.matchAll(SIDE_EFFECT))
    found.push({ specifier: specifier!, typeOnly: false });
  for (const [, specifier] of codeOf(text).matchAll(DYNAMIC)) {
    found.push({ specifier: specifier!, typeOnly: false });
  }
  return found;
}

/** The path of a relative specifier from the project's root; a package's name is returned as it is. */
export function resolve(from: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier;
  const parts = from.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/**
 * The text without its comments, line for line: formatted code has them on lines of their own or at a line's
 * end.
 */
export function codeOf(text: string): string {
  return text
    .split('\n')
    .map((line) => (/^\s*(\/\/|\/\*|\*)/.test(line) ? '' : line.replace(/\s\/\/ .*$/, '')))
    .join('\n');
}
