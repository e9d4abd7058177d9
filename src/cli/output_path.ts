import { dirname, extname, join, parse } from 'node:path';
import { type FoundFile, STANDARD_STREAM } from './find_files.ts';

/** The extension of each output format. */
export const extensions: Readonly<Record<string, string>> = { jpeg: 'jpg', png: 'png', webp: 'webp' };

/** What a pattern may ask for, in braces. */
const PLACES = ['dir', 'name', 'source', 'ext'];

const isPattern = (output: string) => output.includes('{name}');

/** @returns what is wrong with a pattern of outputs, if anything is */
export function outputPatternFault(output: string): string | undefined {
  const unknown = [...output.matchAll(/\{(\w*)\}/g)].find(([, place]) => !PLACES.includes(place!));
  if (!unknown || !isPattern(output)) return undefined;
  return `Expected only ${PLACES.map((place) => `{${place}}`).join(', ')} but received ${unknown[0]}.`;
}

/**
 * Where a clean file goes: beside its source as `name.clean.jpg` where no output was named, into a folder as
 * it lay below its own, to where a pattern says, or to the name that was given.
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
    if (path === STANDARD_STREAM) return STANDARD_STREAM;
    return join(dirname(path), `${parse(path).name}.clean.${extension}`);
  }
  if (output === STANDARD_STREAM) return output;
  const { name } = parse(below);
  if (isPattern(output)) {
    const values: Record<string, string> = {
      dir: dirname(below),
      name,
      source: extname(below).slice(1),
      ext: extension,
    };
    return join(output.replace(/\{(\w+)\}/g, (_, place: string) => values[place]!));
  }
  return isFolder ? join(output, dirname(below), `${name}.${extension}`) : output;
}

/** Whether a file in a folder is what an earlier run has written beside its source. */
export const isOwnOutput = (name: string): boolean => /\.clean\.(?:jpg|png|webp)$/.test(name);
