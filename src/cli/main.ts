import { availableParallelism } from 'node:os';
import process from 'node:process';
import { createSanitizer } from '../library/worker.ts';
import { helpText } from './help.ts';
import { type Invocation, readArguments, UsageError } from './options.ts';
import { type Counts, runFiles } from './run_files.ts';

/** Megabytes that a thread needs for photos of 50 megapixels. */
const THREAD_MB = 256;
const MEGABYTE = 1024 * 1024;

const { stdout, stderr, stdin } = process;

function invocation(): Invocation | number {
  try {
    const read = readArguments(process.argv.slice(2));
    if (read) return read;
    stdout.write(helpText());
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    stderr.write(`image-sanitizer: ${error.message}\nSee image-sanitizer --help\n`);
    return 2;
  }
}

async function readInput(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stdin) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function main(): Promise<number> {
  const call = invocation();
  if (typeof call === 'number') return call;
  const jobs =
    call.jobs ?? Math.max(1, Math.min(availableParallelism(), Math.floor(call.memory / THREAD_MB)));
  using sanitizer = createSanitizer({ workers: jobs, memoryBudget: call.memory * MEGABYTE });
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
  // Whoever read the output has gone: there is nobody to work for.
  stdout.on('error', () => controller.abort());
  const isWatched = stderr.isTTY === true;
  const progress = ({ done, refused }: Counts) =>
    stderr.write(`\r${done + refused} files, ${refused} refused `);
  const counts = await runFiles(call, {
    sanitizer,
    jobs,
    readInput,
    print: (text) => void stdout.write(text),
    complain: (line) => void stderr.write(`${isWatched ? '\r' : ''}image-sanitizer: ${line}\n`),
    ...(isWatched && { progress }),
    signal: controller.signal,
  });
  const interrupted = controller.signal.aborted;
  if (isWatched || interrupted || counts.refused > 0) {
    const end = interrupted ? ', then interrupted' : '';
    stderr.write(`${isWatched ? '\r' : ''}${counts.done} done, ${counts.refused} refused${end}\n`);
  }
  if (interrupted) return 130;
  return counts.refused > 0 ? 1 : 0;
}

process.exitCode = await main();
