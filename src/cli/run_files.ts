import { readFile, stat } from 'node:fs/promises';
import { ImageError } from '../library/image_error.ts';
import type { Sanitizer } from '../library/worker.ts';
import { type FoundFile, findFiles } from './find_files.ts';
import { inspectText, printable } from './inspect_text.ts';
import type { Invocation } from './options.ts';
import { outputPath, STANDARD_OUTPUT } from './output_path.ts';
import { writeWhole } from './write_file.ts';

/** What a run uses of its surroundings. */
export interface Surroundings {
  readonly sanitizer: Pick<Sanitizer, 'sanitize' | 'inspect' | 'detect'>;
  /** Files that are worked on at one time. */
  readonly jobs: number;
  readonly readInput: () => Promise<Uint8Array>;
  readonly print: (text: string | Uint8Array) => void;
  readonly complain: (line: string) => void;
  /** Told after every file. */
  readonly progress?: (counts: Counts) => void;
  readonly signal: AbortSignal;
}

/** How many files ended how. */
export interface Counts {
  done: number;
  refused: number;
}

/**
 * Works on all files of a call; one that is refused does not stop the others.
 * @returns how many ended how; files that an abort left alone are in neither
 */
export async function runFiles(invocation: Invocation, surroundings: Surroundings): Promise<Counts> {
  const counts: Counts = { done: 0, refused: 0 };
  const { signal, jobs, progress, complain, print } = surroundings;
  const toFolder = await goesToFolder(invocation);
  const taken = new Set<string>();
  const refuse = (path: string, error: unknown) => {
    counts.refused++;
    const { code, message } = described(error);
    complain(printable(`${path}: ${message}`));
    if (invocation.json) print(`${JSON.stringify({ file: path, error: { code, message } })}\n`);
  };
  const work = async (file: FoundFile) => {
    try {
      const line = await runFile(file, invocation, surroundings, toFolder, taken);
      if (invocation.json) print(`${JSON.stringify({ file: file.path, ...line })}\n`);
      counts.done++;
    } catch (error) {
      if (signal.aborted) return;
      refuse(file.path, error);
    }
    progress?.(counts);
  };
  for (const input of invocation.inputs) {
    const files = findFiles([input]);
    const workers = Array.from({ length: jobs }, async () => {
      for (;;) {
        const { value, done } = await files.next();
        if (done || signal.aborted) return;
        await work(value);
      }
    });
    const ends = await Promise.allSettled(workers);
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed && !signal.aborted) refuse(input, failed.reason);
    if (signal.aborted) break;
  }
  return counts;
}

/** Whether the output that was named is a folder: it is one, its name says so, or several files go there. */
async function goesToFolder({ output, inputs }: Invocation): Promise<boolean> {
  if (output === undefined || output === STANDARD_OUTPUT) return false;
  const isFolder = async (path: string) => (await stat(path).catch(() => undefined))?.isDirectory() === true;
  if (/[/\\]$/.test(output) || inputs.length > 1 || (await isFolder(output))) return true;
  return inputs[0] !== undefined && isFolder(inputs[0]);
}

/** One file. @returns what a line of --json says of it */
async function runFile(
  file: FoundFile,
  { command, ops, output, force, json }: Invocation,
  { sanitizer, readInput, print, signal }: Surroundings,
  toFolder: boolean,
  taken: Set<string>,
): Promise<object> {
  const image = file.path === STANDARD_OUTPUT ? await readInput() : await readFile(file.path);
  const given = new Uint8Array(image.buffer as ArrayBuffer, image.byteOffset, image.byteLength);
  if (command === 'inspect') {
    const result = await sanitizer.inspect(given, { ...ops, values: true }, { signal });
    if (!json) print(inspectText(file.path, result));
    return { result };
  }
  if (command === 'detect') {
    const result = await sanitizer.detect(given, ops, { signal });
    if (!json) print(printable(`${file.path}: ${result.count} ${result.count === 1 ? 'face' : 'faces'}\n`));
    return { result };
  }
  const { bytes, extension, report } = await sanitizer.sanitize(given, ops, { signal });
  signal.throwIfAborted();
  const path = outputPath(file, output, toFolder, extension);
  if (path === STANDARD_OUTPUT) {
    print(bytes);
    return { report };
  }
  if (taken.has(path)) throw new Error(`${path} was written for another file of this call`);
  taken.add(path);
  await writeWhole(path, bytes, force);
  return { output: path, report };
}

function described(error: unknown): { code: string; message: string } {
  const { message = String(error), code } = error as { message?: string; code?: unknown };
  if (error instanceof ImageError) return { code: error.code, message };
  if (code === 'EEXIST') return { code, message: 'there is such an output already; --force replaces it' };
  return { code: typeof code === 'string' ? code : 'failed', message };
}
