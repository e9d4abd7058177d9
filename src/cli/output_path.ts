import { dirname, extname, join, parse, sep } from 'node:path';
import { cutToBytes, MAX_NAME_BYTES, safeName } from '../safe_name.ts';
import { type FoundFile, STANDARD_STREAM } from './find_files.ts';

/** Placeholders that a pattern may contain, in braces. */
const PLACES = ['dir', 'name', 'source', 'ext'];

export const isPattern = (output: string): boolean => output.includes('{');

/** @returns the problem in a pattern of outputs, if there is one */
export function outputPatternFault(output: string): string | undefined {
  const unknown = [...output.matchAll(/\{([^{}]*)\}?/g)].find(
    ([whole, place]) => !whole.endsWith('}') || !PLACES.includes(place!),
  );
  if (!unknown) return undefined;
  return `Expected only ${PLACES.map((place) => `{${place}}`).join(', ')} but received ${unknown[0]}.`;
}

/** Where outputs go, and their names. */
export interface OutputNames {
  /** Value of `-o`. */
  readonly output: string | undefined;
  /** Whether `output` is a folder, or several files go there. */
  readonly isFolder: boolean;
  /** Whether names must reveal nothing of the source's name: `photo-1`, `photo-2`, … */
  readonly isNeutral: boolean;
}

/**
 * The path of a clean file: next to its source as `name.clean.jpg` if no output was named; in an output
 * folder, at the same place as below its own; or by a pattern; or exactly as given. Parts taken from the
 * source's names are made safe for every file system.
 * @param number of the file in its run, from 1
 * @param extension of the result, without the dot
 */
export function outputPath(
  { path, below }: FoundFile,
  { output, isFolder, isNeutral }: OutputNames,
  number: number,
  extension: string,
): string {
  const nameOf = (source: string, put: string) =>
    safeName(isNeutral ? `photo-${number}` : parse(source).name, Buffer.byteLength(put)) + put;
  if (output === undefined) {
    if (path === STANDARD_STREAM) return STANDARD_STREAM;
    return join(dirname(path), nameOf(path, `.clean.${extension}`));
  }
  if (output === STANDARD_STREAM) return output;
  const folder = dirname(below).split(sep).map(folderName).join(sep);
  if (isPattern(output)) {
    const source = extname(below).slice(1);
    const values = {
      dir: folder,
      name: nameOf(below, ''),
      source: source && safeName(source),
      ext: extension,
    };
    return filled(output, values);
  }
  if (!isFolder) return output;
  return join(output, isNeutral ? '.' : folder, nameOf(below, `.${extension}`));
}

/** A pattern with its placeholders filled; a name that becomes too long is shortened. */
function filled(pattern: string, values: Readonly<Record<string, string>>): string {
  const path = join(pattern.replace(/\{(\w+)\}/g, (_, place: string) => values[place]!));
  const { name = '' } = values;
  const excess = Math.max(...path.split(sep).map((part) => Buffer.byteLength(part))) - MAX_NAME_BYTES;
  const room = Buffer.byteLength(name) - excess;
  return excess > 0 && room > 0 ? filled(pattern, { ...values, name: cutToBytes(name, room) }) : path;
}

const folderName = (name: string) => (name === '.' ? name : safeName(name));

/** Whether a file name is one that an earlier run wrote next to its source. */
export const isOwnOutput = (name: string): boolean => /\.clean\.(?:jpg|png|webp)$/.test(name);
