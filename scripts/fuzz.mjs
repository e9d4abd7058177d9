/**
 * `npm run fuzz`: sends mutated files of every format through the whole pipeline for a given time. Each must
 * come out sanitized and proven clean, or be refused with a fault of the core, and the process's memory must
 * stay level. Anything else is printed with what is needed to reproduce it, and the exit status is 1.
 * usage: npm run fuzz -- [minutes, default 5] [seed, default the current time]
 */
import './plain_node.mjs';

const { isolateBudget } = await import('../src/memory/budget.ts');
const { NO_MEMORY } = await import('../src/memory/memory_cost.ts');
const { Fault } = await import('../src/faults.ts');
const { sanitizeOpsSchema } = await import('../src/ops/schema.ts');
const { sanitize } = await import('../src/sanitize/sanitize.ts');
const { mutate } = await import('../test/fixtures/mutations.ts');
const { seededBelow } = await import('../test/fixtures/random.ts');
const { ResidentLevel } = await import('../test/fixtures/resident_level.ts');
const { smallFiles } = await import('../test/fixtures/small_files.ts');

const minutes = Number(process.argv[2] ?? 5);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
/** A file that takes longer than this hangs, or nearly. */
const MOST_MS = 10_000;
const MEGABYTE = 1024 * 1024;

const noFaces = { faces: [], belowConfidence: [], passes: 0 };
const detector = { cost: () => NO_MEMORY, wantedWidth: ({ width }) => width, detect: async () => noFaces };
const runtime = { budget: isolateBudget(74 * MEGABYTE, 1), detector };

const origins = await smallFiles();
const level = new ResidentLevel();
const random = seededBelow(seed);
const counts = { served: 0, refused: 0, failed: 0 };
const end = Date.now() + minutes * 60_000;
let turn = 0;
for (; Date.now() < end; turn++) {
  const origin = origins[turn % origins.length];
  const bytes = mutate(origin.bytes, random);
  const ops = sanitizeOpsSchema.parse({
    grayscale: random(4) === 0,
    output: {
      format: ['jpeg', 'png', 'webp'][random(8) < 6 ? random(2) : 2],
      maxWidth: random(3) === 0 ? 16 : undefined,
    },
    pixelate: { faces: false, regions: random(2) ? [{ x: random(40), y: random(40), w: 9, h: 9 }] : [] },
  });
  const start = Date.now();
  try {
    await sanitize(bytes, ops, runtime);
    counts.served++;
  } catch (error) {
    if (error instanceof Fault && error.kind !== 'unclean') counts.refused++;
    else report(origin.name, error);
  }
  if (Date.now() - start > MOST_MS) report(origin.name, new Error(`took ${Date.now() - start} ms`));
  if (runtime.budget.freeBytes !== runtime.budget.capacity)
    report(origin.name, new Error('kept a reservation'));
  if (!level.isKept(turn)) {
    report(origin.name, new Error(level.told));
    break;
  }
}
console.log(
  `${turn} files, seed ${seed}: ${counts.served} served, ${counts.refused} refused, ${counts.failed} failed; ` +
    level.told,
);
process.exitCode = counts.failed > 0 ? 1 : 0;

function report(name, error) {
  counts.failed++;
  console.error(`file ${turn} of seed ${seed} (from ${name}): ${error?.stack ?? error}`);
}
