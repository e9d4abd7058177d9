import { extensionOf, fileExtensions, formatOfName } from '../metadata/extensions.ts';
import type { InputFormat } from '../metadata/facts.ts';
import type { SanitizeOps } from '../ops/schema.ts';
import { CallError } from './call_error.ts';
import { isPattern } from './output_path.ts';

export type OutputFormat = SanitizeOps['output']['format'];

/** What an image becomes that keeps its format; transparency stays, and what had no loss gets none. */
const kept: Readonly<Record<InputFormat, OutputFormat>> = {
  jpeg: 'jpeg',
  png: 'png',
  webp: 'webp',
  avif: 'webp',
  tiff: 'png',
  gif: 'png',
};

/** The format of an output that is to keep its source's: its own, or the nearest that is written. */
export const formatKept = (source: InputFormat): OutputFormat => kept[source];

/** What becomes of formats that can't be written, as "avif becomes webp". */
export const replacements = (): string[] =>
  Object.entries(kept).flatMap(([from, to]) => (from === to ? [] : [`${from} becomes ${to}`]));

/** The formats that can be written. */
const written = [...new Set(Object.values(kept))];

/** The extension of outputs of a format, without the dot. */
export const outputExtension = (format: OutputFormat): string => fileExtensions[format][0]!;

/**
 * The format of a run's outputs: what `-o` ends in, else what `--format` says, else JPEG.
 * @param output what `-o` says
 * @param format what `--format` says
 * @param isFolder whether outputs go into a folder of that name
 * @throws CallError where the extension promises what is not written, or another format than `format`
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
