// Sanitizing whole photographs in the core, without the Worker around it: CPU time beside sharp (one thread;
// its optimised and the standard Huffman tables) and jSquash in the same run, and memory as counted. No
// faces, quality 80, 4:2:0 like sharp's default.
import '../../scripts/plain_node.mjs';
import sharp from 'sharp';
import { type PhotoKind, photoFile } from './photos.ts';
import { cpuTime, megabytes, ms, race, ratio } from './timing.ts';

// After the hooks: these load WebAssembly.
const { isolateBudget } = await import('../../src/memory/budget.ts');
const { faceDetector } = await import('../../src/faces/isolate_detector.ts');
const { sanitizeOpsSchema } = await import('../../src/ops/schema.ts');
const { sanitizeInPlace } = await import('../../src/sanitize/sanitize.ts');
const { countJob } = await import('../fixtures/job_memory.ts');
const { MOST_MEGAPIXELS_FOR_JSQUASH, rewrittenByJsquash } = await import('./jsquash_jpeg.ts');

const QUALITY = 80;
/** Room for PNGs of grain, which are larger than any that can be sent; what a job really holds is counted. */
const RUNTIME = { budget: isolateBudget(1 << 30, 1), detector: faceDetector };

sharp.concurrency(1);
sharp.cache(false);

async function measure(megapixels: number, kind: PhotoKind): Promise<void> {
  const format = kind === 'png' ? 'png' : 'jpeg';
  const file = new Uint8Array(await photoFile(megapixels, kind));
  const options = { pixelate: { faces: false }, output: { format, quality: QUALITY } } as const;
  const ops = sanitizeOpsSchema.parse(options);
  const theirs = (optimiseCoding: boolean) => () =>
    kind === 'png'
      ? sharp(file).autoOrient().png().toBuffer()
      : sharp(file).autoOrient().jpeg({ quality: QUALITY, optimiseCoding }).toBuffer();
  const { core, ...others } = await race(
    {
      core: async () => (await sanitizeInPlace(file, ops, RUNTIME))[Symbol.dispose](),
      sharp: theirs(true),
      ...(kind !== 'png' && { 'sharp with standard tables': theirs(false) }),
      ...(kind !== 'png' &&
        megapixels <= MOST_MEGAPIXELS_FOR_JSQUASH && {
          jSquash: () => rewrittenByJsquash(file, QUALITY),
        }),
    },
    megapixels > 12 ? 3 : 5,
    cpuTime,
  );
  const { predicted, counted } = await countJob(file, options);
  const beside = Object.entries(others).map(([name, time]) => `${name} ${ms(time)} (${ratio(core, time)})`);
  console.log(
    `${megapixels} MP ${kind} → ${format}: ${ms(core)}; ${beside.join(', ')}; ` +
      `${megabytes(counted)} counted, ${megabytes(predicted)} predicted, the file's ${megabytes(file.length)} included`,
  );
}

for (const kind of ['jpeg', 'progressive', 'png'] as const) {
  for (const megapixels of [1, 12, 24, 50]) await measure(megapixels, kind);
}
