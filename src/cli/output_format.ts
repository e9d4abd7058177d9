import { extensionOf, fileExtensions, formatOfName } from '../metadata/extensions.ts';
import type { InputFormat } from '../metadata/facts.ts';
import type { SanitizeOps } from '../ops/schema.ts';
import { CallError } from './call_error.ts';
import { isPattern } from './output_path.ts';

export type OutputFormat = SanitizeOps['output']['format'];

/**
 * The output format of an image that keeps its format; transparency is kept, and lossless images stay
 * lossless.
 */
const kept: Readonly<Record<InputFormat, OutputFormat>> = {
  jpeg: 'jpeg',
  png: 'png',
  webp: 'webp',
  avif: 'webp',
  tiff: 'png',
  gif: 'png',
};

/** The output format for a source that keeps its format: its own, or the nearest that can be written. */
export const formatKept = (source: InputFormat): OutputFormat => kept[source];

/** The replacements for formats that can't be written, as "avif becomes webp". */
export const replacements = (): string[] =>
  Object.entries(kept).flatMap(([from, to]) => (from === to ? [] : [`${from} becomes ${to}`]));

/** The formats that can be written. */
const written = [...new Set(Object.values(kept))];

/** The extension of outputs of a format, without the dot. */
export const outputExtension = (format: OutputFormat): string => fileExtensions[format][0]!;

/**
 * The format of a run's outputs: from the extension in `-o`, else from `--format`, else JPEG.
 * @param output value of `-o`
 * @param format value of `--format`
 * @param isFolder whether `output` is a folder
 * @throws CallError if the extension is of a format that can't be written, or of another one than `format`
 */
export function formatOfOutputs(
  output: string | undefined,
  format: OutputFormat | 'same' | undefined,
  isFolder: boolean,
): OutputFormat | 'same' {
  const extension = output === undefined || isFolder ? '' : extensionOf(output);
  if (output === undefined || extension === '{ext}' || (extension === '' && !isPattern(output))) {
    return format ?? 'jpeg';
  }
  const promised = formatOfName(output);
  const known = written.find((one) => one === promised);
  if (known === undefined) {
    const names = written.map((one) => `.${outputExtension(one)}`).join(', ');
    throw new CallError(
      isPattern(output)
        ? `-o ${output}: expected a pattern that ends in .{ext}, ${names}`
        : `-o ${output}: expected a name that ends in ${names}; a folder's ends in /`,
    );
  }
  if (format !== undefined && format !== known) {
    throw new CallError(`-o ${output} is a ${known.toUpperCase()}, but --format says ${format}`);
  }
  return known;
}
