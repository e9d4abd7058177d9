// `npm run worst`: looks for the requests that take the most CPU, the longest block without a turn and the
// most memory a byte, by a seeded search over shapes of files, bodies and ops (test/fixtures/worst).
// Requests are searched small, each later one a change of the worst, where a request is as bad as what it
// takes beyond a photograph of as many bytes at the same endpoint. Those that stand out are then made as
// large as the service takes: where the largest is refused, just under the limit that refuses it.
// Prints a table, worst first.
// usage: npm run worst -- [--trials 12] [--seed 1] [--scale 0.02] [--large 2] [--shape name] [--seconds 900]
//        [--served] [--rows 10] [--minutes 0]
// --seconds bounds the search: each shape has its share, and what is left out is said. --served sends the
// worst ones, so many as --rows says, to `npm run serve`, started for it, and measures that; --minutes sends
// all at once instead, for so long, and prints the memory. CPU is of processes and threads, so other work on
// the machine only lengthens it a little; waits of served calls are wall time and need a quiet machine.
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import '../plain_node.mjs';
import { serve } from './served.mjs';
import { excess, table } from './table.mjs';

const { isolateBudget } = await import('../../src/memory/budget.ts');
const { faceDetector } = await import('../../src/faces/isolate_detector.ts');
const { isolateReadable } = await import('../../src/readable/isolate_detector.ts');
const { runTrial } = await import('../../test/fixtures/worst/run_trial.ts');
const { ordinaryTwin } = await import('../../test/fixtures/worst/ordinary.ts');
const { trialsOf } = await import('../../test/fixtures/worst/search.ts');
const { shapes } = await import('../../test/fixtures/worst/shapes.ts');
const { MOST_BYTES } = await import('../../test/fixtures/worst/shape.ts');

/** What a request may take: CPU, its longest block, and memory beside the budget of an isolate. */
const MOST_CPU_MS = 30_000;
const LONGEST_BLOCK_MS = 30;
const MEGABYTE = 1024 * 1024;
const BUDGET_BYTES = 100 * MEGABYTE;
const MOST_BYTES_BESIDE = BUDGET_BYTES + 60 * MEGABYTE;

const { values } = parseArgs({
  options: {
    trials: { type: 'string', default: '12' },
    seed: { type: 'string', default: '1' },
    scale: { type: 'string', default: '0.02' },
    large: { type: 'string', default: '2' },
    shape: { type: 'string', default: '' },
    seconds: { type: 'string', default: '900' },
    rows: { type: 'string', default: '10' },
    served: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '0' },
  },
});
const [trials, seed, scale, large] = [values.trials, values.seed, values.scale, values.large].map(Number);

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const budget = isolateBudget(BUDGET_BYTES, 1);
const runtime = { budget, detector: faceDetector, readable: isolateReadable };
const chosen = shapes.filter(({ name }) => name.includes(values.shape));

/** How often the largest size that is taken is narrowed down: to a thirty-second of the whole. */
const HALVINGS = 5;
/** How often a long block is measured: what comes of other work on the machine does not come again. */
const TIMES = 3;
/** Of a shape's time, the share that its search may take. */
const SEARCHING = 0.5;

/** How near a small request comes to what one may take beyond an ordinary one, if it grew to the largest. */
const scores = {
  cpu: ({ taken, ordinary }) => Math.max(0, taken.cpuMs - ordinary.cpuMs) / scale / MOST_CPU_MS,
  longestBlock: ({ taken }) => taken.longestBlockMs / LONGEST_BLOCK_MS,
  memory: ({ taken }) => taken.peakBytes / MOST_BYTES_BESIDE,
};

async function measure(trial, size) {
  const body = new Uint8Array(await trial.shape.make(trial.point, size));
  collect();
  if (trial.endpoint in { sanitize: 1, detect: 1, inspect: 1 } && body.length > MOST_BYTES) return undefined;
  const taken = await runTrial(trial, body, runtime);
  if (budget.freeBytes !== budget.capacity) throw new Error('kept a reservation');
  return { trial, size, bytes: body.length, taken, ordinary: await ordinaryOf(trial, body.length) };
}

/** CPU of ordinary requests, by what they are. */
const known = new Map();

/** What a photograph of as many bytes takes, measured once. */
async function ordinaryOf(trial, bytes) {
  const twin = ordinaryTwin(trial, bytes);
  if (!twin) return { cpuMs: 0 };
  const name = `${twin.endpoint} ${JSON.stringify(twin.point)}`;
  if (!known.has(name)) {
    const body = await twin.shape.make(twin.point);
    known.set(name, body.length > MOST_BYTES ? { cpuMs: 0 } : await runTrial(twin, body, runtime));
  }
  return known.get(name);
}

/** The same request, if its longest block is long, with the shortest such time of several runs. */
async function repeated(seen) {
  let longestBlockMs = seen.taken.longestBlockMs;
  for (let time = 1; time < TIMES && longestBlockMs > LONGEST_BLOCK_MS; time++) {
    const again = await measured(seen.trial, seen.size);
    longestBlockMs = Math.min(longestBlockMs, again?.taken.longestBlockMs ?? longestBlockMs);
  }
  return { ...seen, taken: { ...seen.taken, longestBlockMs } };
}

/** A request as large as the service takes it; a refused one where no size of it is taken, or time is up. */
async function largest(trial, until) {
  const whole = await measured(trial, 1);
  if (!whole || whole.taken.status === 200) return whole;
  let best = whole;
  for (let step = 1, size = 0.5; step <= HALVINGS && performance.now() < until; step++) {
    const seen = await measured(trial, size);
    const isTaken = seen?.taken.status === 200;
    if (isTaken) best = seen;
    size += (isTaken ? 1 : -1) * 0.5 ** (step + 1);
  }
  return best;
}

/** Small ones of a shape, until the time is up. */
async function search(shape, until) {
  const found = [];
  const turns = trialsOf(shape, trials, seed);
  let score = 0;
  for (let next = turns.next(0); !next.done; next = turns.next(score)) {
    if (performance.now() > until) break;
    const seen = await measured(next.value, scale);
    score = seen ? Math.max(...Object.values(scores).map((of) => of(seen))) : 0;
    if (seen) found.push(seen);
  }
  return found;
}

async function measured(trial, size) {
  try {
    return await measure(trial, size);
  } catch (error) {
    process.exitCode = 1;
    console.error(`${trial.shape.name} ${JSON.stringify(trial)}: ${error?.stack ?? error}`);
    return undefined;
  }
}

const worst = [];
for (const shape of chosen) {
  // Loads the codec, and lets the compiler see it.
  for (const warm of trialsOf(shape, 3, 99)) await measured(warm, scale / 10);
  const start = performance.now();
  const share = (Number(values.seconds) * 1000) / chosen.length;
  const found = await search(shape, start + SEARCHING * share);
  const standing = new Set(
    Object.values(scores).flatMap((of) => [...found].sort((a, b) => of(b) - of(a)).slice(0, large)),
  );
  let leftOut = 0;
  for (const { trial } of standing) {
    if (performance.now() > start + share) leftOut++;
    else {
      const seen = await largest(trial, start + share);
      if (seen) worst.push(await repeated(seen));
    }
  }
  const most = (of) => Math.max(...found.map(of)).toFixed(2);
  console.error(
    `${shape.name}: ${found.length} searched, cpu ${most(scores.cpu)}, ` +
      `longest block ${most(scores.longestBlock)}, memory ${most(scores.memory)} of what a request may take` +
      `${leftOut > 0 ? `; ${leftOut} large ones left out` : ''}`,
  );
}
worst.sort((a, b) => excess(b) - excess(a));
const minutes = Number(values.minutes);
const sent = values.served && minutes === 0 ? worst.slice(0, Number(values.rows)) : worst;
console.log(table(worst));
if (values.served)
  await serve(
    sent.map(({ trial, size }) => ({ ...trial, size })),
    minutes,
  );
