// What sanitizing 50 megapixels with faces holds at its peak, counted, beside what was predicted from the
// header.
import '../../scripts/plain_node.mjs';
import { startTable, tableRow } from './table.ts';
import { megabytes, ratio } from './timing.ts';

const { countJob, largeFile } = await import('../fixtures/job_memory.ts');

const jobs = [
  ['jpeg', 1, 'jpeg'],
  ['progressive', 1, 'jpeg'],
  ['jpeg', 6, 'jpeg'],
  ['progressive', 6, 'jpeg'],
  ['jpeg', 3, 'jpeg'],
  ['png', 1, 'jpeg'],
  ['png', 1, 'png'],
  ['jpeg', 1, 'png'],
  ['progressive', 6, 'png'],
] as const;
const regions = [{ x: 100, y: 100, w: 900, h: 700 }];

/** How the pictures are turned, by orientation. */
const TURNS = { 1: '', 3: ', half turn', 6: ', quarter turn' } as const;
const NAMES = { jpeg: 'JPEG', progressive: 'JPEG, progressive', png: 'PNG' } as const;

startTable('Memory of a job', ['source → output', 'input', 'output', 'counted', 'predicted', '']);
for (const [kind, orientation, format] of jobs) {
  const file = await largeFile(kind, orientation, kind !== 'png' && format === 'png' ? 'structure' : 'grain');
  const { predicted, counted, input, output } = await countJob(file, {
    pixelate: { regions },
    output: { format },
  });
  tableRow(
    `${NAMES[kind]}${TURNS[orientation]} → ${NAMES[format]}`,
    ...[input, output, counted, predicted].map(megabytes),
    ratio(predicted, counted),
  );
}
