import type { Dirent } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import picomatch from 'picomatch';

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

/** What is left alone in folders. */
export interface LeftAlone {
  /** A folder, as an earlier run's outputs may lie below the sources. */
  readonly folder?: string;
  /** Names of files. */
  readonly isOutput?: (name: string) => boolean;
}

/** Names that are taken from a folder; a file that is named itself is taken whatever its name. */
const IMAGE_NAME = /\.(?:jpe?g|jfif|png|webp|avif|tiff?|gif)$/i;

/**
 * The files of some inputs: files, folders with all folders in them by name, and patterns (`*`, `**`, `?`,
 * `[…]`, `{a,b}`) where no file has such a name. Links to folders are not followed, so that there is no
 * circle. A folder that can't be read does not hide the others.
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
      const isFolder = (await stat(input)).isDirectory();
      if (isFolder) yield* inFolder(input, { root: input, leftAlone });
      else yield { path: input, below: basename(input) };
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
    const isWanted = !matches || matches(below.replaceAll(sep, '/'));
    if (entry.isDirectory()) {
      if (leftAlone.folder !== undefined && resolve(path) === resolve(leftAlone.folder)) continue;
      // A folder whose own name matches is taken as a folder that was named.
      if (matches && isWanted) yield* inFolder(path, { root, leftAlone });
      else if (depth > 1) yield* inFolder(path, { ...walk, depth: depth - 1 });
    } else if ((entry.isFile() || entry.isSymbolicLink()) && isWanted && IMAGE_NAME.test(entry.name)) {
      if (!leftAlone.isOutput?.(entry.name)) yield { path, below };
    }
  }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  const entries = [];
  for await (const entry of await opendir(folder)) entries.push(entry);
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}
