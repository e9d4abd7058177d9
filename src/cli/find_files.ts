import type { Dirent } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import picomatch from 'picomatch';
import { formatOfName } from '../metadata/extensions.ts';
import { kindOfOther, type PassedOver } from './passed_over.ts';

/** Where the standard input or output is meant. */
export const STANDARD_STREAM = '-';

/** One file that was asked for. */
export interface FoundFile {
  /** `-` is the standard input. */
  readonly path: string;
  /** Where it lies below the folder that was named; its bare name where a file was named. */
  readonly below: string;
}

/** What was asked for and can't be had. */
export interface NotFound {
  readonly path: string;
  readonly error: unknown;
}

/** What is left alone. */
export interface LeftAlone {
  /** A folder, as an earlier run's outputs may lie below the sources. */
  readonly folder?: string;
  /** Names of files in folders. */
  readonly isOutput?: (name: string) => boolean;
  /** Patterns: without a slash of names, of folders too; with one of paths below the named folder. */
  readonly exclude?: readonly string[];
  /** Told of every file that is passed over, and of every folder that is excluded or a link. */
  readonly passOver?: (reason: PassedOver) => void;
}

/**
 * The files of some inputs: files whatever their names, folders with all folders in them, and patterns (`*`,
 * `**`, `?`, `[…]`, `{a,b}`) where no file has such a name. Of folders, files are taken whose names promise
 * an input format. Links to folders are not followed, so that there is no circle. A folder that can't be read
 * does not hide the others.
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
      else if (isExcluded(below, leftAlone)) leftAlone.passOver?.('excluded');
      else yield { path: input, below };
    } catch (error) {
      yield* matching(input, leftAlone, error);
    }
  }
}

/** The files of a pattern; of none, and where there are no such files, the error stands. */
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
  // Without ** no more folders than the pattern has can match.
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
  /** Which files are taken, by their path below the root with slashes; absent for all. */
  readonly matches?: (below: string) => boolean;
  /** How many levels of folders are read. */
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
      if (isExcluded(below, leftAlone)) leftAlone.passOver?.('excluded');
      // A folder whose own name matches is taken as a folder that was named.
      else if (matches && isWanted) yield* inFolder(path, { root, leftAlone });
      else if (depth > 1) yield* inFolder(path, { ...walk, depth: depth - 1 });
    } else if (isWanted) {
      const reason = await reasonAgainst(entry, path, below, leftAlone);
      if (reason === undefined) yield { path, below };
      else leftAlone.passOver?.(reason);
    }
  }
}

/** Why an entry of a folder, which is none itself, is passed over; undefined where it is not. */
async function reasonAgainst(
  entry: Dirent,
  path: string,
  below: string,
  leftAlone: LeftAlone,
): Promise<PassedOver | undefined> {
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
