import { stat } from 'node:fs/promises';
import { ImageError, type Progress, type Sanitizer } from '../library/worker.ts';
import type { Invocation } from './arguments.ts';
import { type FoundFile, findFiles, type NotFound, STANDARD_STREAM } from './find_files.ts';
import { inspectText } from './inspect_text.ts';
import { extensions, isOwnOutput, outputPath } from './output_path.ts';
import { printable } from './printable.ts';
import { readFile } from './read_file.ts';
import type { Counts } from './summary.ts';
import { SEARCH_SHARE, Underway } from './underway.ts';
import { OutputExistsError, writeWhole } from './write_file.ts';

/** What a run uses of its surroundings. */
export interface Surroundings {
  readonly sanitizer: Pick<Sanitizer, 'sanitize' | 'inspect' | 'detect'>;
  /** Files that are worked on at one time. */
  readonly jobs: number;
  /** Bytes that a file may have. */
  readonly maxBytes: number;
  readonly standardInput: () => ReadableStream<Uint8Array>;
  /** Resolves when it is written. */
  readonly print: (text: string | Uint8Array) => Promise<void>;
  /** A line for a person; it may hold texts out of files. */
  readonly complain: (line: string) => void;
  /**
   * Told before the first file, after every one, and while files are cleaned.
   * @param underway of the files that are worked on, what is done, in files
   */
  readonly progress?: (counts: Counts, underway: number) => void;
  readonly signal: AbortSignal;
}

/** What a line of --json says of a file, beside its name. */
type Told =
  | { readonly result: object }
  | { readonly output?: string; readonly report: object }
  | { readonly output: string; readonly skipped: true };

/** After these no file more can be written: the disk is full, or the person's share of it is. */
const FULL = ['ENOSPC', 'EDQUOT'];

/**
 * Works on all files of a call. One that is refused does not stop the others; a full disk does, as it would
 * refuse them all.
 * @returns how many ended how
 */
export async function runFiles(invocation: Invocation, surroundings: Surroundings): Promise<Counts> {
  const { signal, progress, complain, print, jobs } = surroundings;
  const files: (FoundFile | NotFound)[] = [];
  for await (const file of findFiles(invocation.inputs, leftAlone(invocation))) {
    if (signal.aborted) break;
    files.push(file);
  }
  const counts: Counts = { total: files.length, done: 0, refused: 0, skipped: 0 };
  const run = { ...surroundings, invocation, toFolder: await goesToFolder(invocation, files) };
  const outputs = new Set<string>();
  const underway = new Underway(invocation.command === 'detect' ? 1 : SEARCH_SHARE);
  let isFull = false;
  // A file is done whether or not its line can be written; whoever gave `print` ends the run then.
  const report = async (line: object) => {
    if (invocation.json) await print(`${printable(JSON.stringify(line))}\n`).catch(() => undefined);
  };
  const work = async (file: FoundFile | NotFound) => {
    try {
      if ('error' in file) throw file.error;
      const onProgress = (made: Progress) => {
        underway.tell(file, made);
        progress?.(counts, underway.files);
      };
      const told = await runFile(file, { ...run, ...(progress && { onProgress }) }, outputs);
      counts['skipped' in told ? 'skipped' : 'done']++;
      await report({ file: file.path, ...told });
    } catch (error) {
      if (signal.aborted && error === signal.reason) return;
      const { code, message } = described(error, file.path);
      isFull ||= FULL.includes(code);
      counts.refused++;
      complain(`${file.path}: ${message}`);
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
  return counts;
}

/** What an earlier run has written is no input. */
function leftAlone({ command, output }: Invocation) {
  if (command !== 'clean') return {};
  if (output === undefined) return { isOutput: isOwnOutput };
  const [fixed = ''] = output.split('{', 1);
  const folder = fixed === output ? output : fixed.slice(0, fixed.lastIndexOf('/') + 1);
  return folder ? { folder } : {};
}

/** Whether the output that was named is a folder: it is one, its name says so, or several files go there. */
async function goesToFolder(
  { output, inputs }: Invocation,
  files: readonly { readonly path: string }[],
): Promise<boolean> {
  if (output === undefined || output === STANDARD_STREAM) return false;
  if (/[/\\]$/.test(output) || inputs.length > 1) return true;
  // From a folder or a pattern.
  if (files.some(({ path }) => path !== inputs[0])) return true;
  return isThere(output, (stats) => stats.isDirectory());
}

async function isThere(path: string, is = (_: Awaited<ReturnType<typeof stat>>) => true): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  return stats !== undefined && is(stats);
}

interface Run extends Omit<Surroundings, 'progress'> {
  readonly invocation: Invocation;
  readonly toFolder: boolean;
  /** Told how far this file is; absent where nobody looks. */
  readonly onProgress?: (progress: Progress) => void;
}

/** One file. */
async function runFile(file: FoundFile, run: Run, outputs: Set<string>): Promise<Told> {
  const { command, ops, json } = run.invocation;
  if (command === 'clean') return cleanFile(file, run, outputs);
  const { sanitizer, print, signal, onProgress } = run;
  const image = await read(file, run);
  const options = { signal, transfer: true };
  if (command === 'inspect') {
    const result = await sanitizer.inspect(image, { ...ops, values: true }, options);
    if (!json) await print(inspectText(file.path, result, ops.thumbnails === true));
    return { result };
  }
  const result = await sanitizer.detect(image, ops, { ...options, onProgress });
  const faces = `${result.count} ${result.count === 1 ? 'face' : 'faces'}`;
  if (!json) await print(`${printable(`${file.path}: ${faces}`)}\n`);
  return { result };
}

async function cleanFile(file: FoundFile, run: Run, outputs: Set<string>): Promise<Told> {
  const { invocation, sanitizer, print, signal, onProgress } = run;
  const { ops, output, existing } = invocation;
  const { format = 'jpeg' } = (ops.output ?? {}) as { format?: string };
  const path = outputPath(file, output, run.toFolder, extensions[format]!);
  const isStream = path === STANDARD_STREAM;
  if (!isStream) {
    if (outputs.has(path)) {
      throw new Error(
        `${path} is another file's of this call; -o 'folder/{dir}/{name}-{source}.{ext}' tells them apart`,
      );
    }
    outputs.add(path);
    if (existing !== 'replace' && (await isThere(path))) {
      if (existing === 'refuse') throw new OutputExistsError(path);
      return { output: path, skipped: true };
    }
  }
  const image = await read(file, run);
  const { bytes, report } = await sanitizer.sanitize(image, ops, { signal, transfer: true, onProgress });
  signal.throwIfAborted();
  if (isStream) {
    await print(bytes);
    return { report };
  }
  await writeWhole(path, bytes, existing === 'replace');
  return { output: path, report };
}

const read = ({ path }: FoundFile, { standardInput, maxBytes }: Run) =>
  path === STANDARD_STREAM ? standardInput() : readFile(path, maxBytes);

function described(error: unknown, path: string): { code: string; message: string } {
  const { message = String(error), code, path: at } = error as Partial<NodeJS.ErrnoException>;
  if (error instanceof ImageError) return { code: error.code, message };
  // "ENOENT: no such file or directory, stat 'a.jpg'": the file is named already.
  const [, reason] = /^[A-Z]\w+: (.+), \w+(?: .*)?$/s.exec(message) ?? [];
  const where = at === undefined || at === path ? '' : ` (${at})`;
  return { code: typeof code === 'string' ? code : 'failed', message: reason ? reason + where : message };
}
