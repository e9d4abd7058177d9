// Sanitizing whole photographs through the Worker over HTTP, side by side with sharp (one thread) in the same run. The Worker
// runs in workerd itself, with nothing between; behind the development server, whose proxies take some milliseconds, beside.
import '../../scripts/plain_node.mjs';
import sharp from 'sharp';
import { startBareRuntime } from '../fixtures/bare_runtime.ts';
import { issueKey, startLocalWorker, TEST_SECRETS } from '../fixtures/local_worker.ts';
import { type PhotoKind, photoFile } from './photos.ts';
import { megabytes, ms, race, ratio } from './timing.ts';

// After the hooks: these load WebAssembly.
const { scan } = await import('../../src/metadata/scan.ts');
const { sanitizeOpsSchema } = await import('../../src/ops/schema.ts');
const { planSanitize } = await import('../../src/sanitize/plan.ts');

const ROUNDS = 4;
/** Small pictures are over soon: more rounds cost little and settle the ratio. */
const ROUNDS_OF_SMALL = 16;
const SENT_PNG_GRAIN = 0.5;
const MAX_IMAGE_BYTES = 25 * 1024 * 1024;
const jobs: readonly (readonly [megapixels: number, from: PhotoKind, to: 'jpeg' | 'png' | 'webp'])[] = [
  [1, 'jpeg', 'jpeg'],
  [12, 'jpeg', 'jpeg'],
  [24, 'jpeg', 'jpeg'],
  [50, 'jpeg', 'jpeg'],
  [12, 'progressive', 'jpeg'],
  [1, 'png', 'png'],
  [12, 'png', 'png'],
  [1, 'webp', 'webp'],
  [12, 'webp', 'webp'],
  [24, 'webp', 'webp'],
];

sharp.concurrency(1);
sharp.cache(false);

// WebP works on whole frames, so that 24 megapixels need more than an isolate of Cloudflare's has.
const variables = { MEMORY_BUDGET_MB: '1024' };
await using bare = await startBareRuntime('src/index.ts', ['enable_request_signal'], {
  ...TEST_SECRETS,
  ...variables,
});
await using local = await startLocalWorker(variables);
const worker = `http://127.0.0.1:${bare.port}`;
const keys = { [worker]: await issueKey(worker), [local.address]: await local.issueKey() };
const ops = (format: string) =>
  encodeURIComponent(JSON.stringify({ pixelate: { faces: false }, output: { format, quality: 92 } }));

/** Without faces the detector is never asked. */
const noDetection = { cost: () => 0, wantedWidth: () => 1 };

function predictedPeak(photo: Uint8Array, format: 'jpeg' | 'png' | 'webp'): number {
  const ops = sanitizeOpsSchema.parse({ pixelate: { faces: false }, output: { format } });
  return planSanitize(scan(photo)!, ops, photo.length, noDetection).predictedBytes;
}

console.log('Sanitize through the Worker over HTTP (faces off) against sharp, one thread');
for (const [megapixels, from, to] of jobs) {
  // A grained PNG of 12 megapixels is over the 25 MB that may be sent; of 24, any photograph is.
  const photo = await (from === 'png'
    ? photoFile(megapixels, from, SENT_PNG_GRAIN)
    : photoFile(megapixels, from));
  if (photo.length > MAX_IMAGE_BYTES) throw new RangeError(`${photo.length} bytes cannot be sent`);
  let bytes = 0;
  const through = async (address: string) => {
    const answer = await fetch(`${address}/v1/sanitize?ops=${ops(to)}`, {
      method: 'POST',
      headers: { 'Content-Type': 'image/jpeg', Authorization: `Bearer ${keys[address]}` },
      body: new Uint8Array(photo),
    });
    const body = await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${answer.status} ${new TextDecoder().decode(body)}`);
    bytes = body.byteLength;
  };
  const times = await race(
    {
      worker: () => through(worker),
      local: () => through(local.address),
      sharp: () =>
        sharp(photo)
          .autoOrient()
          [to]({ quality: to === 'png' ? undefined : 92 })
          .toBuffer(),
    },
    megapixels === 1 ? ROUNDS_OF_SMALL : ROUNDS,
  );
  const theirs = (
    await sharp(photo)
      [to]({ quality: to === 'png' ? undefined : 92 })
      .toBuffer()
  ).length;
  console.log(
    `${String(megapixels).padStart(3)} MP ${from} → ${to}: ${ms(times.worker)}, sharp ${ms(times.sharp)}, ` +
      `time ${ratio(times.worker, times.sharp)}, through the development server ${ms(times.local)}, size ${ratio(bytes, theirs)}, ` +
      `predicted peak ${megabytes(predictedPeak(photo, to))}`,
  );
}
