// Sanitizing with WebP in or out in the core, without the Worker around it: CPU time beside sharp (one
// thread, method 4, its default) and jSquash in the same run, and memory as counted. No faces, quality 92.
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
const { MOST_MEGAPIXELS_FOR_JSQUASH, rewrittenByJsquash } = await import('./jsquash_webp.ts');

const QUALITY = 92;
const RUNTIME = { budget: isolateBudget(1 << 30, 1), detector: faceDetector };
const SIZES = process.argv[2]?.split(',').map(Number) ?? [1, 12, 24, 50];

sharp.concurrency(1);
sharp.cache(false);

async function measure(megapixels: number, kind: PhotoKind, format: 'webp' | 'jpeg'): Promise<void> {
  const file = new Uint8Array(await photoFile(megapixels, kind));
  const options = { pixelate: { faces: false }, output: { format, quality: QUALITY } } as const;
  const ops = sanitizeOpsSchema.parse(options);
  let [ours, theirs] = [0, 0];
  const { core, ...others } = await race(
    {
      core: async () => {
        using made = await sanitizeInPlace(file, ops, RUNTIME);
        ours = made.bytes.length;
      },
      sharp: async () => {
        const image = sharp(file).autoOrient();
        const options = { quality: QUALITY, chromaSubsampling: '4:4:4' };
        theirs = (
          await (format === 'webp' ? image.webp({ quality: QUALITY }) : image.jpeg(options)).toBuffer()
        ).length;
      },
      ...(kind === 'webp' &&
        format === 'webp' &&
        megapixels <= MOST_MEGAPIXELS_FOR_JSQUASH && { jSquash: () => rewrittenByJsquash(file, QUALITY) }),
    },
    megapixels > 24 ? 1 : megapixels > 12 ? 2 : 3,
    cpuTime,
  );
  const { predicted, counted } = await countJob(file, options);
  const beside = Object.entries(others).map(([name, time]) => `${name} ${ms(time)} (${ratio(core, time)})`);
  console.log(
    `${megapixels} MP ${kind} → ${format}: ${ms(core)}; ${beside.join(', ')}; ${ratio(ours, theirs)} as long; ` +
      `${megabytes(counted)} counted, ${megabytes(predicted)} predicted, the file's ${megabytes(file.length)} included`,
  );
}

for (const megapixels of SIZES) {
  await measure(megapixels, 'jpeg', 'webp');
  await measure(megapixels, 'webp', 'webp');
  await measure(megapixels, 'webp', 'jpeg');
}
