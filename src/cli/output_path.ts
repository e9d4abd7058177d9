import { dirname, extname, join, parse, sep } from 'node:path';
import { cutToBytes, MAX_NAME_BYTES, safeName } from '../safe_name.ts';
import { type FoundFile, STANDARD_STREAM } from './find_files.ts';

/** What a pattern may ask for, in braces. */
const PLACES = ['dir', 'name', 'source', 'ext'];

export const isPattern = (output: string): boolean => output.includes('{');

/** @returns what is wrong with a pattern of outputs, if anything is */
export function outputPatternFault(output: string): string | undefined {
  const unknown = [...output.matchAll(/\{([^{}]*)\}?/g)].find(
    ([whole, place]) => !whole.endsWith('}') || !PLACES.includes(place!),
  );
  if (!unknown) return undefined;
  return `Expected only ${PLACES.map((place) => `{${place}}`).join(', ')} but received ${unknown[0]}.`;
}

/** Where outputs go, and how they are called. */
export interface OutputNames {
  /** What `-o` says. */
  readonly output: string | undefined;
  /** Whether `output` is a folder, or several files go there. */
  readonly isFolder: boolean;
  /** Whether names tell nothing of their source's: `photo-1`, `photo-2`, … */
  readonly isNeutral: boolean;
}

/**
 * Where a clean file goes: beside its source as `name.clean.jpg` where no output was named, into a folder as
 * it lay below its own, to where a pattern says, or to the name that was given. What is made of the source's
 * names is made safe for every file system.
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

/** A pattern with its places filled; where a name gets too long by what is put to it, it is cut. */
function filled(pattern: string, values: Readonly<Record<string, string>>): string {
  const path = join(pattern.replace(/\{(\w+)\}/g, (_, place: string) => values[place]!));
  const { name = '' } = values;
  const excess = Math.max(...path.split(sep).map((part) => Buffer.byteLength(part))) - MAX_NAME_BYTES;
  const room = Buffer.byteLength(name) - excess;
  return excess > 0 && room > 0 ? filled(pattern, { ...values, name: cutToBytes(name, room) }) : path;
}

const folderName = (name: string) => (name === '.' ? name : safeName(name));

/** Whether a file in a folder is what an earlier run has written beside its source. */
export const isOwnOutput = (name: string): boolean => /\.clean\.(?:jpg|png|webp)$/.test(name);
