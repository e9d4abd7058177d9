import { stat } from 'node:fs/promises';
import { ImageError, type Progress } from '../library/worker.ts';
import { formatOfName } from '../metadata/extensions.ts';
import { CallError } from './call_error.ts';
import { blockLines } from './check_text.ts';
import { cleanFile, keyOf, type NumberedFile, type Outputs } from './clean_file.ts';
import type { Invocation } from './file_command.ts';
import { findFiles, type LeftAlone, type NotFound, STANDARD_STREAM } from './find_files.ts';
import { inspectText } from './inspect_text.ts';
import { formatOfOutputs } from './output_format.ts';
import { isOwnOutput, isPattern } from './output_path.ts';
import { printable } from './printable.ts';
import { detectedLine } from './result_text.ts';
import { type FileRun, type LineContent, type RunContext, readSource } from './run_context.ts';
import { type Checked, sarifOf } from './sarif.ts';
import { heicRemedy, kindOfOther } from './skipped.ts';
import type { Counts } from './summary.ts';
import { SEARCH_SHARE, Underway } from './underway.ts';

/** After these errors no further file can be written: the disk is full, or the user's quota is used up. */
const FULL = ['ENOSPC', 'EDQUOT'];

/**
 * Works on all files of a call. A refused file does not stop the others; a full disk does, since it would
 * make all of them fail.
 * @returns how many files ended in which way
 * @throws CallError before anything is done
 */
export async function runFiles(invocation: Invocation, context: RunContext): Promise<Counts> {
  const { signal, progress, warn, print, jobs } = context;
  const files: (NumberedFile | NotFound)[] = [];
  for await (const file of findFiles(invocation.inputs, leftAlone(invocation, context))) {
    if (signal.aborted) break;
    files.push({ ...file, number: files.length + 1 });
  }
  const outputs = await outputsOf(invocation, files);
  const counts: Counts = { total: files.length, done: 0, refused: 0, skipped: 0 };
  const run = { ...context, invocation };
  const underway = new Underway(invocation.command === 'detect' ? 1 : SEARCH_SHARE);
  const checked: Checked[] = [];
  let isFull = false;
  // A file counts as done even if its line can't be written; the provider of `print` then ends the run.
  const report = async (line: object) => {
    if (invocation.json) await print(`${printable(JSON.stringify(line))}\n`).catch(() => undefined);
  };
  const work = async (file: NumberedFile | NotFound) => {
    try {
      if ('error' in file) throw file.error;
      const onProgress = (made: Progress) => {
        underway.tell(file, made);
        progress?.(counts, underway.files);
      };
      const told = await runFile(file, { ...run, ...(progress && { onProgress }) }, outputs);
      counts['skipped' in told ? 'skipped' : 'done']++;
      if ('blocks' in told) {
        checked.push({ path: file.path, blocks: told.blocks });
        if (told.blocks.length > 0) counts.carrying = (counts.carrying ?? 0) + 1;
      }
      await report({ file: file.path, ...told });
    } catch (error) {
      if (signal.aborted && error === signal.reason) return;
      const { code, message } = described(error, file.path);
      isFull ||= FULL.includes(code);
      counts.refused++;
      checked.push({ path: file.path, refusal: message });
      warn(`${file.path}: ${message}`);
      await report({ file: file.path, error: { code, message } });
    } finally {
      underway.end(file);
    }
    progress?.(counts, underway.files);
  };
  progress?.(counts, 0);
  let next = 0;
  const workers = Array.from({ length: jobs }, async () => {
    while (next < files.length && !signal.aborted && !isFull) await work(files[next++]!);
  });
  const ends = await Promise.allSettled(workers);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed && !signal.aborted) throw failed.reason;
  if (invocation.report === 'sarif') {
    const isWhole = checked.length === files.length && !signal.aborted;
    await print(`${JSON.stringify(sarifOf(checked, isWhole, context.version), undefined, 2)}\n`);
  }
  return counts;
}

/** What the search skips: outputs of earlier runs are not inputs. */
function leftAlone({ command, output, exclude }: Invocation, { skip }: RunContext): LeftAlone {
  const always = { exclude, ...(skip && { skip }) };
  if (command !== 'clean') return always;
  if (output === undefined) return { ...always, isOutput: isOwnOutput };
  const [fixed = ''] = output.split('{', 1);
  const folder = fixed === output ? output : fixed.slice(0, fixed.lastIndexOf('/') + 1);
  return folder ? { ...always, folder } : always;
}

/** @throws CallError if the files found can't be written where they should */
async function outputsOf(
  { output, inputs, format, isNeutral }: Invocation,
  files: readonly { readonly path: string }[],
): Promise<Outputs> {
  if (files.length > 1 && output === STANDARD_STREAM) {
    throw new CallError('-o -: the standard output takes the image of one file only');
  }
  // A folder or a pattern may yield one file today and several tomorrow.
  const areSeveral = inputs.length > 1 || files.some(({ path }) => path !== inputs[0]);
  const isFolder = await goesToFolder(output, areSeveral);
  return {
    names: { output, isFolder, isNeutral },
    format: formatOfOutputs(output, format, isFolder),
    sources: new Set(files.map(({ path }) => keyOf(path))),
    taken: new Set(),
  };
}

/** Whether the named output is a folder: it exists as one, its name says so, or several files go there. */
async function goesToFolder(output: string | undefined, areSeveral: boolean): Promise<boolean> {
  if (output === undefined || output === STANDARD_STREAM || isPattern(output)) return false;
  if (/[/\\]$/.test(output)) return true;
  const isThere = await stat(output).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (areSeveral && !isThere && formatOfName(output)) {
    throw new CallError(`-o ${output} names one file, and there are several; a folder's name ends in /`);
  }
  return areSeveral || isThere;
}

/** One file. */
async function runFile(file: NumberedFile, run: FileRun, outputs: Outputs): Promise<LineContent> {
  const { command, ops, json } = run.invocation;
  if (command === 'clean') return cleanFile(file, run, outputs);
  const { sanitizer, print, signal, onProgress } = run;
  const image = await readSource(file, run);
  const options = { signal, transfer: true };
  if (command === 'inspect') {
    const result = await sanitizer.inspect(image, { ...ops, values: true }, options);
    if (!json) await print(inspectText(file.path, result, ops.thumbnails === true));
    return { result };
  }
  if (command === 'check') {
    const { blocks, complete, format } = await sanitizer.inspect(image, {}, options);
    // It is unknown what metadata a cut-off part had.
    if (!complete) {
      throw new ImageError('unprocessable_image', `The ${format.toUpperCase()} file is truncated or corrupt`);
    }
    if (run.invocation.report === 'text') await print(blockLines(file.path, blocks));
    return { blocks };
  }
  const result = await sanitizer.detect(image, ops, { ...options, onProgress });
  if (!json) await print(`${printable(detectedLine(file.path, result))}\n`);
  return { result };
}

function described(error: unknown, path: string): { code: string; message: string } {
  const { message = String(error), code, path: at } = error as Partial<NodeJS.ErrnoException>;
  if (error instanceof ImageError) {
    // Even if its extension says otherwise: some programs rename photos without converting them.
    const isHeic = kindOfOther(path) === 'heic' || / received HEI[CF]/.test(message);
    const isRefused = error.code === 'unprocessable_image';
    return { code: error.code, message: isHeic && isRefused ? `${message}. ${heicRemedy}` : message };
  }
  // "ENOENT: no such file or directory, stat 'a.jpg'": the file is already named in the line.
  const [, reason] = /^[A-Z]\w+: (.+), \w+(?: .*)?$/s.exec(message) ?? [];
  const where = at === undefined || at === path ? '' : ` (${at})`;
  return { code: typeof code === 'string' ? code : 'failed', message: reason ? reason + where : message };
}
