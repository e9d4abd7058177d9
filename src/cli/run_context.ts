import { readImage } from '../library/image_input.ts';
import type { Progress, Sanitizer } from '../library/worker.ts';
import type { CarriedBlock } from './check_text.ts';
import type { Invocation } from './file_command.ts';
import { type FoundFile, STANDARD_STREAM } from './find_files.ts';
import { readFile } from './read_file.ts';
import type { SkipReason } from './skipped.ts';
import type { Counts } from './summary.ts';

/** What a run uses of its environment. */
export interface RunContext {
  readonly sanitizer: Pick<Sanitizer, 'sanitize' | 'inspect' | 'detect'>;
  /** Files worked on at one time. */
  readonly jobs: number;
  /** Most bytes of a file. */
  readonly maxBytes: number;
  readonly standardInput: () => ReadableStream<Uint8Array>;
  /** Resolves when the text is written. */
  readonly print: (text: string | Uint8Array) => Promise<void>;
  /** Prints a line for a person; it may contain texts from files. */
  readonly warn: (line: string) => void;
  /** Like `warn`, for a line about a photo's result; absent if nobody reads it. */
  readonly note?: (line: string) => void;
  /** Called with everything that is skipped. */
  readonly skip?: (reason: SkipReason) => void;
  /**
   * Called before the first file, after every file, and while files are cleaned.
   * @param underway completed part of the files in progress, as a number of files
   */
  readonly progress?: (counts: Counts, underway: number) => void;
  readonly signal: AbortSignal;
  /** Version of the program, for documents that name it. */
  readonly version?: string;
}

/** What work on one file uses. */
export interface FileRun extends Omit<RunContext, 'progress'> {
  readonly invocation: Invocation;
  /** Called with the progress of this file; absent if nobody watches. */
  readonly onProgress?: (progress: Progress) => void;
}

/** The content of a file's line in --json, besides its name. */
export type LineContent =
  | { readonly result: object }
  | { readonly blocks: readonly CarriedBlock[] }
  | { readonly output?: string; readonly report: object }
  | { readonly output: string; readonly skipped: true }
  | { readonly output: string; readonly dryRun: true };

/** The bytes of a file, or a stream of them. */
export const readSource = async ({ path }: FoundFile, { standardInput, maxBytes }: FileRun) =>
  path === STANDARD_STREAM ? standardInput() : readFile(path, maxBytes);

/** All bytes of a file, even if it is a stream. */
export const readWhole = async (file: FoundFile, run: FileRun): Promise<Uint8Array> =>
  (await readImage(await readSource(file, run), run.maxBytes, run.signal)).bytes;
