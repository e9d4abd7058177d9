import { opendir, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';

/** One file that was asked for. */
export interface FoundFile {
  /** `-` is the standard input. */
  readonly path: string;
  /** Where it lies below the folder that was named; its bare name where a file was named. */
  readonly below: string;
}

/** Names that are taken from a folder; a file that is named itself is taken whatever its name. */
const IMAGE_NAME = /\.(?:jpe?g|jfif|png|webp|avif|tiff?|gif)$/i;

/**
 * The files of some inputs, those of a folder and all folders in it by name. Links to folders are not
 * followed, so that there is no circle.
 * @throws the file system's error for a folder that cannot be read, or an input that is not there
 */
export async function* findFiles(inputs: readonly string[]): AsyncGenerator<FoundFile> {
  for (const input of inputs) {
    if (input === '-') yield { path: input, below: 'stdin' };
    else if ((await stat(input)).isDirectory()) yield* inFolder(input, input);
    else yield { path: input, below: basename(input) };
  }
}

async function* inFolder(folder: string, root: string): AsyncGenerator<FoundFile> {
  const entries = [];
  for await (const entry of await opendir(folder)) entries.push(entry);
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* inFolder(path, root);
    else if (IMAGE_NAME.test(entry.name)) yield { path, below: relative(root, path) };
  }
}
