import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { threadCount } from '../library/thread_count.ts';
import { createSanitizer } from '../library/worker.ts';
import { readArguments } from './arguments.ts';
import { CallError } from './call_error.ts';
import type { Invocation } from './file_command.ts';
import { withDetectors } from './own_detectors.ts';
import { printable } from './printable.ts';
import { progressBar } from './progress_bar.ts';
import { webStream } from './read_file.ts';
import { runFiles } from './run_files.ts';
import { serve, serviceElsewhere } from './serve.ts';
import { type SkipReason, skippedLines } from './skipped.ts';
import { summaryOf } from './summary.ts';

const MEGABYTE = 1024 * 1024;

/** Signals that end a run early, with the exit code: 128 plus the signal's number, as in shells. */
const endings = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

const { stdout, stderr, stdin } = process;
const started = performance.now();
const elapsed = () => (performance.now() - started) / 1000;

async function main(): Promise<number> {
  // The same relative address in the sources and in the package.
  const manifest = new URL('../../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(fileURLToPath(manifest.href), 'utf8'));
  const asked = readArguments(process.argv.slice(2), version);
  if ('files' in asked) return workOn(asked.files, version);
  if ('mcp' in asked) {
    const { serveFiles } = await import('./mcp/serve_files.ts');
    return serveFiles(asked.mcp, version, () => performance.now());
  }
  if ('serve' in asked) {
    const exitCode = await serve(asked.serve);
    if (exitCode !== undefined) return exitCode;
    stderr.write(serviceElsewhere);
    return 2;
  }
  (asked.exitCode === 0 ? stdout : stderr).write(asked.text);
  return asked.exitCode;
}

async function workOn(call: Invocation, version: string): Promise<number> {
  if (writesImageToTerminal(call)) {
    stderr.write('image-sanitizer: an image is nothing for a terminal: -o FILE, or > FILE\n');
    return 2;
  }
  const memoryBudget = call.memory * MEGABYTE;
  const jobs = threadCount(memoryBudget, availableParallelism(), call.jobs);
  const { detectors } = call;
  using sanitizer =
    detectors.length > 0
      ? await withDetectors(detectors, memoryBudget)
      : createSanitizer({ workers: jobs, memoryBudget });
  const controller = new AbortController();
  let interrupted: number | undefined;
  // Only once: a second signal ends the program at once.
  for (const [signal, code] of Object.entries(endings)) {
    process.once(signal, () => {
      interrupted ??= code;
      controller.abort();
    });
  }
  const bar = stderr.isTTY && !call.quiet ? progressBar(stderr, elapsed) : undefined;
  const warn = (text: string) => {
    const line = printable(`image-sanitizer: ${text}`);
    if (bar) bar.line(line);
    else stderr.write(`${line}\n`);
  };
  if (call.jobs !== undefined && jobs < call.jobs && !call.quiet) {
    warn(`--jobs ${call.jobs}: --memory ${call.memory} allows ${jobs}`);
  }
  const skipped = new Map<SkipReason, number>();
  // The reader has gone, or its disk is full: nobody would learn what is done.
  stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE') warn(`standard output: ${message}`);
    controller.abort();
  });
  const counts = await runFiles(call, {
    sanitizer,
    // One more than threads, so that no thread waits for a disk.
    jobs: jobs + 1,
    maxBytes: Math.floor(memoryBudget / jobs),
    standardInput: () => webStream(stdin),
    print: (text) =>
      new Promise((resolve, reject) => {
        stdout.write(text, (error) => (error ? reject(error) : resolve()));
      }),
    warn,
    skip: (reason) => skipped.set(reason, (skipped.get(reason) ?? 0) + 1),
    ...(bar && !call.json && { note: (line) => bar.line(printable(line)) }),
    ...(bar && { progress: (counts, underway) => bar.show(counts, underway) }),
    signal: controller.signal,
    version,
  });
  bar?.end();
  const isNothing = counts.total === 0 && !controller.signal.aborted;
  // Without any image there is no metadata, so `check` succeeds.
  const isFruitless = isNothing && call.command !== 'check';
  const isAllDone = counts.done + counts.skipped === counts.total && !controller.signal.aborted;
  const isWhole = isAllDone && !isFruitless && !counts.carrying;
  if (!call.quiet && (counts.total > 1 || !isWhole)) {
    const work = call.dryRun ? 'dryRun' : call.command;
    stderr.write(`${summaryOf(work, counts, elapsed(), interrupted !== undefined)}\n`);
  }
  if (!call.quiet || isNothing)
    stderr.write(
      skippedLines(skipped)
        .map((line) => `${line}\n`)
        .join(''),
    );
  if (isNothing) stderr.write('image-sanitizer: no image was found\n');
  return interrupted ?? (isWhole ? 0 : 1);
}

const writesImageToTerminal = ({ command, inputs, output }: Invocation): boolean =>
  stdout.isTTY && command === 'clean' && (output ?? (inputs.includes('-') ? '-' : '')) === '-';

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof CallError)) throw error;
  stderr.write(`${printable(`error: ${error.message}`)}\nSee image-sanitizer --help\n`);
  process.exitCode = 2;
}
