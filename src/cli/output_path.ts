import { dirname, join, parse } from 'node:path';
import type { FoundFile } from './find_files.ts';

/** Where the standard output is meant. */
export const STANDARD_OUTPUT = '-';

/**
 * Where a clean file goes: beside its source as `name.clean.jpg` where no output was named, into a folder as
 * it lay below its own, or to the name that was given.
 * @param isFolder whether `output` is a folder, or several files go there
 * @param extension of the result, without the dot
 */
export function outputPath(
  { path, below }: FoundFile,
  output: string | undefined,
  isFolder: boolean,
  extension: string,
): string {
  if (output === undefined) {
    if (path === STANDARD_OUTPUT) return STANDARD_OUTPUT;
    return join(dirname(path), `${parse(path).name}.clean.${extension}`);
  }
  if (output === STANDARD_OUTPUT || !isFolder) return output;
  return join(output, dirname(below), `${parse(below).name}.${extension}`);
}
