// Many sanitizes of a 12-megapixel photograph at once through the Worker in workerd itself, within the memory
// of an isolate: every answer is 200, or 503 and then 200; the runtime's memory stays on a plateau; the last
// are no slower than the first. Memory is read once a second: what garbage happens to wait at one moment is
// up to 200 MB, so of each stretch the least is what counts.
import { setTimeout as wait } from 'node:timers/promises';
import { startBareRuntime } from '../fixtures/bare_runtime.ts';
import { issueKey, TEST_SECRETS } from '../fixtures/local_worker.ts';
import { runtimeUse } from '../fixtures/process_memory.ts';
import { photoFile } from './photos.ts';
import { megabytes, ms, ratio } from './timing.ts';

const CALLS = Number(process.env.SOAK_CALLS ?? 300);
const AT_ONCE = 8;
const PRINT_EVERY = 50;
/** Calls that one key makes: well below what its plan allows a minute. */
const CALLS_A_KEY = 25;

const photo = new Uint8Array(await photoFile(12, 'jpeg'));
await using worker = await startBareRuntime('src/index.ts', ['enable_request_signal'], TEST_SECRETS);
const address = `http://127.0.0.1:${worker.port}`;
const answers = new Map<number, number>();
const took: number[] = [];
let started = 0;
let key: Promise<string> | undefined;

async function sanitizeOnce(): Promise<void> {
  if (started++ % CALLS_A_KEY === 0) key = issueKey(address);
  const start = performance.now();
  for (;;) {
    const answer = await fetch(`${address}/v1/sanitize`, {
      method: 'POST',
      headers: { 'Content-Type': 'image/jpeg', Authorization: `Bearer ${await key}` },
      body: photo,
    });
    const body = await answer.arrayBuffer();
    answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1);
    if (answer.status === 200) break;
    if (answer.status !== 503) throw new Error(`${answer.status} ${new TextDecoder().decode(body)}`);
    await wait(1000);
  }
  took.push(performance.now() - start);
  if (took.length % PRINT_EVERY === 0) printState();
}

let held: number[] = [];
const sampling = setInterval(() => {
  const use = runtimeUse(worker.pid);
  if (use) held.push(use.residentBytes);
}, 1000);

const cpuEach: number[] = [];
let cpuBefore = runtimeUse(worker.pid)?.cpuMs ?? 0;

function printState(): void {
  const latest = took.slice(-PRINT_EVERY);
  const mean = latest.reduce((sum, time) => sum + time, 0) / latest.length;
  const use = runtimeUse(worker.pid);
  cpuEach.push(((use?.cpuMs ?? 0) - cpuBefore) / latest.length);
  cpuBefore = use?.cpuMs ?? 0;
  console.log(
    `${String(took.length).padStart(4)} done, runtime held ${range(held)}, ` +
      `the last ${latest.length} took ${ms(mean)} each, ${ms(cpuEach.at(-1)!)} of CPU`,
  );
  held = [];
}

function range(bytes: readonly number[]): string {
  if (bytes.length === 0) return 'unknown';
  return `${megabytes(Math.min(...bytes))} at least, ${megabytes(Math.max(...bytes))} at most`;
}

const idle = runtimeUse(worker.pid);

console.log(
  `${CALLS} sanitizes of a ${megabytes(photo.length)} photograph of 12 MP, ${AT_ONCE} at once; ` +
    `the idle runtime holds ${idle ? megabytes(idle.residentBytes) : 'unknown'}`,
);
const begun = performance.now();
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    while (started < CALLS) await sanitizeOnce();
  }),
);
clearInterval(sampling);
console.log(
  `answers: ${[...answers].map(([status, count]) => `${count} × ${status}`).join(', ')}; ` +
    `${ms((performance.now() - begun) / took.length)} a call in all; ` +
    `CPU of the last ${PRINT_EVERY} ${ratio(cpuEach.at(-1)!, cpuEach[0]!)} of the first`,
);
