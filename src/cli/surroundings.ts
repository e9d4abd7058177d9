import { readImage } from '../library/image_input.ts';
import type { Progress, Sanitizer } from '../library/worker.ts';
import type { CarriedBlock } from './check_text.ts';
import type { Invocation } from './file_command.ts';
import { type FoundFile, STANDARD_STREAM } from './find_files.ts';
import type { PassedOver } from './passed_over.ts';
import { readFile } from './read_file.ts';
import type { Counts } from './summary.ts';

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
  /** A line on what became of a photo, as `complain`; absent where nobody reads it. */
  readonly note?: (line: string) => void;
  /** Told of what is passed over. */
  readonly passOver?: (reason: PassedOver) => void;
  /**
   * Told before the first file, after every one, and while files are cleaned.
   * @param underway of the files that are worked on, what is done, in files
   */
  readonly progress?: (counts: Counts, underway: number) => void;
  readonly signal: AbortSignal;
  /** Of the program, for documents that name it. */
  readonly version?: string;
}

/** What work on one file uses. */
export interface FileRun extends Omit<Surroundings, 'progress'> {
  readonly invocation: Invocation;
  /** Told how far this file is; absent where nobody looks. */
  readonly onProgress?: (progress: Progress) => void;
}

/** What a line of --json says of a file, beside its name. */
export type Told =
  | { readonly result: object }
  | { readonly blocks: readonly CarriedBlock[] }
  | { readonly output?: string; readonly report: object }
  | { readonly output: string; readonly skipped: true }
  | { readonly output: string; readonly dryRun: true };

/** The bytes of a file, or a stream of them. */
export const readSource = async ({ path }: FoundFile, { standardInput, maxBytes }: FileRun) =>
  path === STANDARD_STREAM ? standardInput() : readFile(path, maxBytes);

/** All bytes of a file, also of a stream. */
export const readWhole = async (file: FoundFile, run: FileRun): Promise<Uint8Array> =>
  (await readImage(await readSource(file, run), run.maxBytes, run.signal)).bytes;
