// What sanitizing 50 megapixels with faces holds at its peak, counted, beside what was predicted from the
// header.
import '../../scripts/plain_node.mjs';
import { megabytes, ms, ratio } from './timing.ts';

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

console.log('Sanitizing 50 MP with faces: counted and predicted bytes');
for (const [kind, orientation, format] of jobs) {
  const file = await largeFile(kind, orientation, kind !== 'png' && format === 'png' ? 'structure' : 'grain');
  const start = performance.now();
  const { predicted, counted, input, output } = await countJob(file, {
    pixelate: { regions },
    output: { format },
  });
  console.log(
    `${kind}, orientation ${orientation} → ${format}: counted ${megabytes(counted)} (input ${megabytes(input)}, output ` +
      `${megabytes(output)}), predicted ${megabytes(predicted)}, ${ratio(predicted, counted)}; ${ms(performance.now() - start)}`,
  );
}
