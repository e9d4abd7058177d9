// How jobs give way, in Node: how long the event loop is held between two turns of a 50 MP job, a job of one
// megapixel alone and beside one of 50, and what giving way costs. Work between turns is told in CPU time of
// its thread, which other programs lengthen little.
import '../../scripts/plain_node.mjs';
import { photoFile } from './photos.ts';
import { cpuTime, ms, ratio } from './timing.ts';

const { isolateBudget } = await import('../../src/memory/budget.ts');
const { faceDetector } = await import('../../src/faces/isolate_detector.ts');
const { sanitizeOpsSchema } = await import('../../src/ops/schema.ts');
const { sanitize } = await import('../../src/sanitize/sanitize.ts');
const { nextTurn } = await import('../../src/scheduling/time_slice.ts');
const { largeFile } = await import('../fixtures/job_memory.ts');

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const MEGABYTE = 1024 * 1024;
const budget = isolateBudget(400 * MEGABYTE, 16);
const region = { x: 100, y: 100, w: 900, h: 700 };

async function run(file: Uint8Array, ops: object, giveTurn: () => Promise<void> = nextTurn): Promise<void> {
  await sanitize(file, sanitizeOpsSchema.parse(ops), { budget, detector: faceDetector, giveTurn });
}

const small = new Uint8Array(await photoFile(1, 'jpeg'));
const jpeg = await largeFile('jpeg', 1);
const jobs: Readonly<Record<string, readonly [Uint8Array, object]>> = {
  'JPEG → JPEG': [jpeg, { pixelate: { regions: [region] } }],
  'JPEG, no faces': [jpeg, { pixelate: { faces: false } }],
  'JPEG, quarter turn → JPEG': [await largeFile('jpeg', 6), { pixelate: { regions: [region] } }],
  'progressive JPEG → JPEG': [await largeFile('progressive', 1), { pixelate: { regions: [region] } }],
  'JPEG → PNG': [jpeg, { pixelate: { regions: [region] }, output: { format: 'png' } }],
  'PNG → PNG': [await largeFile('png', 1), { pixelate: { regions: [region] }, output: { format: 'png' } }],
  'JPEG → JPEG of 1000 pixels': [jpeg, { output: { maxWidth: 1000 } }],
};

/** CPU milliseconds of this thread so far: without what compiles and collects beside it. */
function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** CPU milliseconds of each block of work between two turns. */
async function blocksOf(file: Uint8Array, ops: object): Promise<number[]> {
  const blocks: number[] = [];
  let from = threadTime();
  await run(file, ops, async () => {
    blocks.push(threadTime() - from);
    await nextTurn();
    from = threadTime();
  });
  blocks.push(threadTime() - from);
  return blocks.sort((a, b) => a - b);
}

const at = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;

// Compiled, and the detector loaded.
await run(small, {});
await run(small, { output: { format: 'png' } });
console.log('50 MP, CPU between two turns: median, 99 of a hundred, longest; turns');
for (const [name, [file, ops]] of Object.entries(jobs)) {
  const sorted = await blocksOf(file, ops);
  const figures = [at(sorted, 0.5), at(sorted, 0.99), at(sorted, 1)].map((one) => ms(one).padStart(9));
  console.log(`${name.padEnd(32)}${figures.join('')}${String(sorted.length).padStart(6)}`);
}

async function took(work: () => Promise<void>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** Of all rounds. */
const median = (times: readonly number[]) =>
  at(
    times.toSorted((a, b) => a - b),
    0.5,
  );

const noFaces = { pixelate: { faces: false } };
const alone: number[] = [];
const beside: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  let isOver = false;
  const large = run(jpeg, noFaces).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const time = await took(() => run(small, noFaces));
    if (!isOver) beside.push(time);
  }
  await large;
  for (let count = 0; count < 5; count++) alone.push(await took(() => run(small, noFaces)));
}
console.log(
  `1 MP alone ${ms(median(alone))}, beside one of 50 MP ${ms(median(beside))} ` +
    `(median of ${alone.length} and ${beside.length}): ${ratio(median(beside), median(alone))}`,
);

const never = () => Promise.resolve();
const cpu = { giving: [] as number[], never: [] as number[] };
for (let round = 0; round < ROUNDS; round++) {
  for (const [times, turn] of [
    [cpu.giving, nextTurn],
    [cpu.never, never],
  ] as const) {
    const from = cpuTime();
    await run(jpeg, noFaces, turn);
    times.push(cpuTime() - from);
  }
}
const least = (times: readonly number[]) => Math.min(...times);
console.log(
  `50 MP JPEG, no faces: ${ms(least(cpu.giving))} of CPU with turns, ${ms(least(cpu.never))} without ` +
    `(least of ${ROUNDS} each, in turn): ${ratio(least(cpu.giving), least(cpu.never))}`,
);
