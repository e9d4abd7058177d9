// `npm run capacity`: the figures of docs/capacity.md: the cost of a million photographs, the isolates needed
// for a rate, and what callers experience as load grows, from a simulation of one isolate with the memory
// policy of src/memory. Prints tables, and writes the plots to docs/capacity. Seeded: the same each time.
import '../plain_node.mjs';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ALARM_ROWS, CALLS, KEY_BYTES, OBJECT_REQUESTS, PRICES, ROWS_WRITTEN } from './figures.mjs';
import { linePlot } from './plot.mjs';

const { quantile, simulate } = await import('./isolate.mjs');

const SEEDS = [1, 2, 3];
const SECONDS = 200;
/** Requested CPU time as a fraction of one isolate's CPU time. */
const LOADS = [0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.5, 2];
const MIXES = {
  faces: ['faces'],
  'no faces': ['no faces'],
  webp: ['webp'],
  mixed: ['faces', 'no faces', 'no faces', 'inspect', 'inspect'],
};
const plots = new URL('../../docs/capacity/', import.meta.url);

console.log('| a million photographs of 12 MP | CPU | requests to objects | rows written | dollars |');
console.log('| --- | --- | --- | --- | --- |');
for (const [name, { cpuMs }] of Object.entries(CALLS)) {
  const cpu = cpuMs * PRICES.perMillionCpuMs;
  const objects = OBJECT_REQUESTS * PRICES.perMillionObjectRequests;
  const rows = ROWS_WRITTEN * PRICES.perMillionRowsWritten;
  const sum = PRICES.perMillionRequests + cpu + objects + rows;
  console.log(
    `| ${name} | ${((1e6 * cpuMs) / 3.6e6).toFixed(0)} h | ${OBJECT_REQUESTS} million | ${ROWS_WRITTEN} million | ` +
      `${sum.toFixed(2)} (CPU ${cpu.toFixed(2)}, rows ${rows.toFixed(2)}) |`,
  );
}
const keyGb = (1e6 * KEY_BYTES) / 1e9;
console.log(
  `\nA million keys: ${keyGb.toFixed(0)} GB, ${(keyGb * PRICES.perGbMonthStored).toFixed(0)} dollars a month. ` +
    `A key in use: ${ALARM_ROWS} row a minute for its alarm.\n`,
);

const linesOfMixes = () => Object.fromEntries(Object.keys(MIXES).map((name) => [name, []]));
const refusedLines = linesOfMixes();
const waitLines = linesOfMixes();
const timeLines = linesOfMixes();
console.log(
  '| calls | load | calls a second | busy | refused (503) | wait, 95 % | answer, median | answer, 95 % |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
for (const [name, mix] of Object.entries(MIXES)) {
  const cpuMs = mix.reduce((sum, kind) => sum + CALLS[kind].cpuMs, 0) / mix.length;
  for (const load of LOADS) {
    const rate = (1000 * load) / cpuMs;
    const runs = [];
    for (const seed of SEEDS) runs.push(await simulate({ rate, mix, seconds: SECONDS, seed }));
    const ends = runs.flatMap((run) => run.ends);
    const served = ends.filter(({ isServed }) => isServed);
    const refused = 1 - served.length / ends.length;
    const busy = runs.reduce((sum, run) => sum + run.busy, 0) / runs.length;
    const wait = quantile(
      served.map(({ waitedMs }) => waitedMs / 1000),
      0.95,
    );
    const [median, late] = [0.5, 0.95].map((share) =>
      quantile(
        served.map(({ tookMs }) => tookMs / 1000),
        share,
      ),
    );
    const cells = [
      name,
      load,
      rate.toFixed(2),
      percent(busy),
      percent(refused),
      ...[wait, median, late].map(seconds),
    ];
    console.log(`| ${cells.join(' | ')} |`);
    refusedLines[name].push([load, 100 * refused]);
    waitLines[name].push([load, wait]);
    timeLines[name].push([load, late]);
  }
}

console.log('\nOne key at 600 calls a minute, all of one kind, against one isolate:\n');
console.log('| calls | served | refused (503) | isolates at 70 % |');
console.log('| --- | --- | --- | --- |');
for (const [name, { cpuMs }] of Object.entries(CALLS)) {
  const { ends } = await simulate({ rate: 10, mix: [name], seconds: 60, seed: 1 });
  const served = ends.filter(({ isServed }) => isServed).length / ends.length;
  const isolates = Math.ceil((10 * cpuMs) / 1000 / 0.7);
  console.log(`| ${name} | ${percent(served)} | ${percent(1 - served)} | ${isolates} |`);
}

mkdirSync(plots, { recursive: true });
const x = 'offered load: CPU time asked for, as a share of one isolate';
const write = (file, plot) => writeFileSync(fileURLToPath(new URL(file, plots)), linePlot({ x, ...plot }));
write('refused.svg', { title: 'Calls answered 503', y: 'per cent', lines: refusedLines });
write('waiting.svg', { title: 'Wait for memory of served calls, 95 %', y: 'seconds', lines: waitLines });
write('answer.svg', { title: 'Time to the end of the answer, 95 %', y: 'seconds', lines: timeLines });

function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}

function seconds(value) {
  return `${value.toFixed(1)} s`;
}
