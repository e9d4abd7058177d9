import { lstat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ImageError } from '../library/worker.ts';
import { identify } from '../metadata/signatures.ts';
import type { SanitizeOps } from '../ops/schema.ts';
import { MAX_PIXELS } from '../vocabulary/vocabulary.ts';
import { type FoundFile, STANDARD_STREAM } from './find_files.ts';
import { widthBounds } from './op_options.ts';
import { formatKept, type OutputFormat, outputExtension } from './output_format.ts';
import { type OutputNames, outputPath } from './output_path.ts';
import { printable } from './printable.ts';
import { readHead } from './read_file.ts';
import { cleanedLine } from './result_text.ts';
import { type FileRun, type LineContent, readSource, readWhole } from './run_context.ts';
import { maxWidthUnder } from './size_cap.ts';
import { modesOf, OutputExistsError, writeWhole } from './write_file.ts';

/** Bytes that identify a format: the brands of a file may extend this far. */
const HEAD_BYTES = 512;

/** What the outputs of all files in a run have in common. */
export interface Outputs {
  readonly names: OutputNames;
  readonly format: OutputFormat | 'same';
  /** Keys (`keyOf`) of the input files of this run. */
  readonly sources: ReadonlySet<string>;
  /** Keys (`keyOf`) of outputs that are already taken. */
  readonly taken: Set<string>;
}

/**
 * Maps paths that some file system treats as the same to one key: case-insensitive, and in composed Unicode
 * form.
 */
export const keyOf = (path: string): string => resolve(path).normalize('NFC').toLowerCase();

/** A found file with its number in the run, from 1. */
export type NumberedFile = FoundFile & { readonly number: number };

/**
 * Cleans one file, or says what would become of it.
 * @throws ImageError; OutputExistsError; the file system's error
 */
export async function cleanFile(file: NumberedFile, run: FileRun, outputs: Outputs): Promise<LineContent> {
  const { existing, dryRun, json } = run.invocation;
  const isStandard = file.path === STANDARD_STREAM;
  const whole = isStandard && outputs.format === 'same' ? await readWhole(file, run) : undefined;
  const format = outputs.format === 'same' ? await formatOf(file, whole) : outputs.format;
  const path = outputPath(file, outputs.names, file.number, outputExtension(format));
  const isStream = path === STANDARD_STREAM;
  const say = async (text: string) => {
    if (dryRun && !json) await run.print(`${printable(text)}\n`);
  };
  if (!isStream) {
    take(path, file, outputs);
    if (existing !== 'replace' && (await isThere(path))) {
      if (existing === 'refuse') throw new OutputExistsError(path);
      await say(`${file.path}: skipped, as ${path} is there`);
      return { output: path, skipped: true };
    }
  }
  if (dryRun) {
    await requireWhole(whole ?? (await readWhole(file, run)), run);
    await say(`${file.path} → ${isStream ? 'standard output' : path}`);
    return { output: path, dryRun };
  }
  return cleaned(file, whole, path, format, run);
}

async function cleaned(
  file: FoundFile,
  whole: Uint8Array | undefined,
  path: string,
  format: OutputFormat,
  run: FileRun,
): Promise<LineContent> {
  const { sanitizer, signal, onProgress, invocation, print, note } = run;
  const { ops, cap, existing } = invocation;
  const isStream = path === STANDARD_STREAM;
  const modes = isStream || file.path === STANDARD_STREAM ? undefined : await modesOf(file.path);
  const isCapped = cap.maxEdge !== undefined || cap.maxHeight !== undefined;
  const image = whole ?? (await (isCapped ? readWhole : readSource)(file, run));
  const given = ops as Partial<SanitizeOps>;
  const facts = isCapped ? await sanitizer.inspect(image, {}, { signal }) : undefined;
  const maxWidth = facts ? maxWidthUnder(cap, facts, given, widthBounds) : undefined;
  const output = { ...given.output, format, ...(maxWidth !== undefined && { maxWidth }) };
  const options = { signal, transfer: true, onProgress };
  const { bytes, report } = await sanitizer.sanitize(image, { ...ops, output }, options);
  signal.throwIfAborted();
  if (isStream) await print(bytes);
  else await writeWhole(path, bytes, existing === 'replace', modes);
  const isLooked = given.pixelate?.faces !== false;
  note?.(cleanedLine(file.path, isStream ? 'standard output' : path, report, isLooked));
  return isStream ? { report } : { output: path, report };
}

/** Two files of a run must not share an output, and no output may replace a file that is still to be read. */
function take(path: string, { path: source }: FoundFile, { taken, sources }: Outputs): void {
  const key = keyOf(path);
  if (taken.has(key)) {
    throw new Error(
      `${path} is another file's of this call; -o 'folder/{dir}/{name}-{source}.{ext}' or --names neutral ` +
        'tells them apart',
    );
  }
  if (sources.has(key) && key !== keyOf(source)) throw new Error(`${path} is itself a file of this call`);
  taken.add(key);
}

/**
 * The output format of a file that keeps its format. Files that are not images are left for sanitize to
 * refuse.
 */
async function formatOf({ path }: FoundFile, whole: Uint8Array | undefined): Promise<OutputFormat> {
  const { format } = identify(whole ?? (await readHead(path, HEAD_BYTES)));
  return format === null ? 'jpeg' : formatKept(format);
}

/** Refuses an image that cleaning would refuse because of its container. */
async function requireWhole(image: Uint8Array, { sanitizer, signal }: FileRun): Promise<void> {
  const facts = await sanitizer.inspect(image, {}, { signal, transfer: true });
  const { complete, format, width, height } = facts;
  const name = `The ${format.toUpperCase()} file`;
  if (width * height > MAX_PIXELS) {
    throw new ImageError('unprocessable_image', `${name} has more than ${MAX_PIXELS / 1e6} megapixels`);
  }
  if (!complete) throw new ImageError('unprocessable_image', `${name} is truncated or corrupt`);
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
