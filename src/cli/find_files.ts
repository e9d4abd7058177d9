import type { Dirent } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import picomatch from 'picomatch';
import { formatOfName } from '../metadata/extensions.ts';
import { kindOfOther, type SkipReason } from './skipped.ts';

/** Stands for the standard input or output. */
export const STANDARD_STREAM = '-';

/** One file to work on. */
export interface FoundFile {
  /** `-` is the standard input. */
  readonly path: string;
  /** Its path below the named folder; its bare name if the file itself was named. */
  readonly below: string;
}

/** An input that can't be found or read. */
export interface NotFound {
  readonly path: string;
  readonly error: unknown;
}

/** What the search skips. */
export interface LeftAlone {
  /** A folder to skip, since outputs of earlier runs may be below the sources. */
  readonly folder?: string;
  /** Recognises earlier outputs by their names. */
  readonly isOutput?: (name: string) => boolean;
  /**
   * Patterns: without a slash they match names, of folders too; with a slash, paths below the named folder.
   */
  readonly exclude?: readonly string[];
  /** Called for every file that is skipped, and for every folder that is excluded or a link. */
  readonly skip?: (reason: SkipReason) => void;
}

/**
 * The files of some inputs: files whatever their names, folders with all subfolders, and patterns (`*`, `**`,
 * `?`, `[…]`, `{a,b}`) unless a file has that very name. In folders, only files whose extension is that of an
 * input format are taken. Links to folders are not followed, to avoid loops. A folder that can't be read does
 * not hide the others.
 */
export async function* findFiles(
  inputs: readonly string[],
  leftAlone: LeftAlone = {},
): AsyncGenerator<FoundFile | NotFound> {
  for (const input of inputs) {
    if (input === STANDARD_STREAM) {
      yield { path: input, below: 'stdin' };
      continue;
    }
    try {
      const below = basename(input);
      const isFolder = (await stat(input)).isDirectory();
      if (isFolder) yield* inFolder(input, { root: input, leftAlone });
      else if (isExcluded(below, leftAlone)) leftAlone.skip?.('excluded');
      else yield { path: input, below };
    } catch (error) {
      yield* matching(input, leftAlone, error);
    }
  }
}

/** The files that match a pattern. If it is not a pattern, or nothing matches, the error is yielded. */
async function* matching(
  input: string,
  leftAlone: LeftAlone,
  error: unknown,
): AsyncGenerator<FoundFile | NotFound> {
  const { base, glob, isGlob } = picomatch.scan(input);
  if (!isGlob || (error as NodeJS.ErrnoException).code !== 'ENOENT') {
    yield { path: input, error };
    return;
  }
  const root = base || '.';
  const matches = picomatch(glob);
  // Without ** only paths with as many folders as the pattern can match.
  const depth = glob.includes('**') ? Number.POSITIVE_INFINITY : glob.split('/').length;
  let isEmpty = true;
  for await (const found of inFolder(root, { root, leftAlone, matches, depth })) {
    isEmpty = false;
    yield found;
  }
  if (isEmpty) yield { path: input, error: new Error('no image has such a name') };
}

interface Walk {
  readonly root: string;
  readonly leftAlone: LeftAlone;
  /** Selects files by their path below the root, with slashes; if absent, all are taken. */
  readonly matches?: (below: string) => boolean;
  /** How many levels of folders to read. */
  readonly depth?: number;
}

async function* inFolder(folder: string, walk: Walk): AsyncGenerator<FoundFile | NotFound> {
  const { root, leftAlone, matches, depth = Number.POSITIVE_INFINITY } = walk;
  let entries: Dirent[];
  try {
    entries = await entriesOf(folder);
  } catch (error) {
    yield { path: folder, error };
    return;
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const below = relative(root, path);
    const isWanted = !matches || matches(slashed(below));
    if (entry.isDirectory()) {
      if (leftAlone.folder !== undefined && resolve(path) === resolve(leftAlone.folder)) continue;
      if (isExcluded(below, leftAlone)) leftAlone.skip?.('excluded');
      // A folder whose own name matches is treated like a named folder.
      else if (matches && isWanted) yield* inFolder(path, { root, leftAlone });
      else if (depth > 1) yield* inFolder(path, { ...walk, depth: depth - 1 });
    } else if (isWanted) {
      const reason = await reasonAgainst(entry, path, below, leftAlone);
      if (reason === undefined) yield { path, below };
      else leftAlone.skip?.(reason);
    }
  }
}

/** Why an entry that is not a folder is skipped; undefined if it is taken. */
async function reasonAgainst(
  entry: Dirent,
  path: string,
  below: string,
  leftAlone: LeftAlone,
): Promise<SkipReason | undefined> {
  if (isExcluded(below, leftAlone)) return 'excluded';
  if (!entry.isFile() && !entry.isSymbolicLink()) return 'special';
  if (formatOfName(entry.name)) return leftAlone.isOutput?.(entry.name) ? 'output' : undefined;
  const isFolder = entry.isSymbolicLink() && (await stat(path).catch(() => undefined))?.isDirectory();
  return isFolder ? 'link' : kindOfOther(entry.name);
}

const slashed = (path: string) => path.replaceAll(sep, '/');

function isExcluded(below: string, { exclude = [] }: LeftAlone): boolean {
  return exclude.some((pattern) => {
    const glob = pattern.replace(/^\.\//, '').replace(/\/+$/, '');
    return picomatch.isMatch(glob.includes('/') ? slashed(below) : basename(below), glob, { dot: true });
  });
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  const entries = [];
  for await (const entry of await opendir(folder)) entries.push(entry);
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}
