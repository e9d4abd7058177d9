// Sanitizing whole photographs through the Worker over HTTP, side by side with sharp (one thread) and, where
// it does not take too long, jSquash in the same run: time until the answer is there, and CPU time, the
// Worker's being that of all its runtime's threads. It runs in workerd itself, with nothing between; behind
// the development server, whose proxies take some milliseconds, beside.
import '../../scripts/plain_node.mjs';
import sharp from 'sharp';
import { startBareRuntime } from '../fixtures/bare_runtime.ts';
import { issueKey, startLocalWorker, TEST_SECRETS } from '../fixtures/local_worker.ts';
import { runtimeUse } from '../fixtures/process_memory.ts';
import { type PhotoKind, photoFile } from './photos.ts';
import { startTable, tableRow } from './table.ts';
import { cpuTime, megabytes, ms, race, ratio } from './timing.ts';

// After the hooks: these load WebAssembly.
const { faceDetector } = await import('../../src/faces/isolate_detector.ts');
const { scan } = await import('../../src/metadata/scan.ts');
const { sanitizeOpsSchema } = await import('../../src/ops/schema.ts');
const { findersFor } = await import('../../src/sanitize/finders.ts');
const { planSanitize } = await import('../../src/sanitize/plan.ts');
const { countJob } = await import('../fixtures/job_memory.ts');
const { MOST_MEGAPIXELS_FOR_JSQUASH, rewrittenByJsquash } = await import('./jsquash_jpeg.ts');

const ROUNDS = 4;
/** Small pictures are over soon: more rounds cost little and settle the ratio. */
const ROUNDS_OF_SMALL = 16;
/**
 * The runtime's CPU time is told in steps of 10 ms: so many megapixels together, at the least, for its mean.
 */
const MEGAPIXELS_FOR_CPU = 100;
const QUALITY = 92;
const SENT_PNG_GRAIN = 0.5;
const MAX_IMAGE_BYTES = 25 * 1024 * 1024;
/** What is asked of a photograph, beside its output format. */
interface Asked {
  /** Pixels of the result's width. */
  readonly maxWidth?: number;
  /** Faces are searched for: nothing of sharp's does that. */
  readonly faces?: boolean;
}
const jobs: readonly (readonly [
  megapixels: number,
  from: PhotoKind,
  to: 'jpeg' | 'png' | 'webp',
  asked?: Asked,
])[] = [
  [1, 'jpeg', 'jpeg'],
  [12, 'jpeg', 'jpeg'],
  [24, 'jpeg', 'jpeg'],
  [50, 'jpeg', 'jpeg'],
  [1, 'progressive', 'jpeg'],
  [12, 'progressive', 'jpeg'],
  [24, 'progressive', 'jpeg'],
  [50, 'progressive', 'jpeg'],
  [1, 'png', 'png'],
  [12, 'png', 'png'],
  [1, 'webp', 'webp'],
  [12, 'webp', 'webp'],
  [24, 'webp', 'webp'],
  [12, 'avif', 'jpeg'],
  [1, 'png', 'jpeg'],
  [50, 'webp', 'jpeg'],
  [50, 'jpeg', 'webp'],
  ...[1600, 800, 320].map((maxWidth) => [12, 'jpeg', 'jpeg', { maxWidth }] as const),
  ...[1600, 320].map((maxWidth) => [50, 'jpeg', 'jpeg', { maxWidth }] as const),
  ...(['progressive', 'webp', 'avif', 'png'] as const).map(
    (from) => [12, from, 'jpeg', { maxWidth: 800 }] as const,
  ),
  ...[1, 12, 50].map((megapixels) => [megapixels, 'jpeg', 'jpeg', { faces: true }] as const),
];
const NAMES = { jpeg: 'JPEG', progressive: 'progressive', png: 'PNG', webp: 'WebP', avif: 'AVIF' } as const;
/** Only rows whose label has this, where it is given: `JPEG`, `12 MP`, `faces`. */
const ONLY = process.argv[2];

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
const opsOf = (format: 'jpeg' | 'png' | 'webp', { maxWidth, faces = false }: Asked) => ({
  pixelate: { faces },
  output: { format, quality: QUALITY, ...(maxWidth && { maxWidth }) },
});

/** What the job holds at its peak: counted where codecs work in cores, and predicted. */
async function peaksOf(photo: Uint8Array, options: ReturnType<typeof opsOf>): Promise<[string, string]> {
  const ops = sanitizeOpsSchema.parse(options);
  const finders = findersFor(ops, { detector: faceDetector });
  const { predictedBytes } = planSanitize(scan(photo)!, ops, photo.length, finders);
  const isCounted = options.output.format !== 'webp' && !options.pixelate.faces;
  const counted = isCounted ? megabytes((await countJob(photo, options)).counted) : '';
  return [counted, megabytes(predictedBytes)];
}

/** CPU milliseconds of each, the mean of several calls in turn. */
async function cpuTimes<Name extends string>(
  contenders: Readonly<Record<Name, { call: () => Promise<unknown>; clock: () => number }>>,
  rounds: number,
): Promise<Record<Name, number>> {
  const names = Object.keys(contenders) as Name[];
  const sums = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const { call, clock } = contenders[name];
      const start = clock();
      await call();
      sums[name] += clock() - start;
    }
  }
  for (const name of names) sums[name] /= rounds;
  return sums;
}

const labelOf = (megapixels: number, from: PhotoKind, to: keyof typeof NAMES, { maxWidth, faces }: Asked) =>
  `${megapixels} MP ${NAMES[from]} → ${NAMES[to]}${maxWidth ? `, ${maxWidth} px` : ''}${faces ? ', faces' : ''}`;

/** Rows in which the Worker takes longer than sharp, by how much. */
const behind: [number, string][] = [];
startTable('Sanitizing through the Worker', [
  '',
  'Worker',
  'sharp',
  'time',
  'Worker’s CPU',
  'sharp’s CPU',
  'jSquash’s CPU',
  'size',
  'counted',
  'predicted',
  '`wrangler dev`',
]);
for (const [megapixels, from, to, asked = {}] of jobs) {
  const label = labelOf(megapixels, from, to, asked);
  if (ONLY && !label.includes(ONLY)) continue;
  // A grained PNG of 12 megapixels is over the 25 MB that may be sent; of 24, any photograph is.
  const photo = new Uint8Array(
    await (from === 'png' ? photoFile(megapixels, from, SENT_PNG_GRAIN) : photoFile(megapixels, from)),
  );
  if (photo.length > MAX_IMAGE_BYTES) throw new RangeError(`${photo.length} bytes cannot be sent`);
  const options = opsOf(to, asked);
  let bytes = 0;
  const through = async (address: string) => {
    const answer = await fetch(`${address}/v1/sanitize?ops=${encodeURIComponent(JSON.stringify(options))}`, {
      method: 'POST',
      headers: { 'Content-Type': 'image/jpeg', Authorization: `Bearer ${keys[address]}` },
      body: photo,
    });
    const body = await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${answer.status} ${new TextDecoder().decode(body)}`);
    bytes = body.byteLength;
  };
  const bySharp = () =>
    sharp(photo)
      .autoOrient()
      .resize(asked.maxWidth ? { width: asked.maxWidth, withoutEnlargement: true } : {})
      [to]({ quality: to === 'png' ? undefined : QUALITY })
      .toBuffer();
  const times = await race(
    { worker: () => through(worker), local: () => through(local.address), sharp: bySharp },
    megapixels === 1 ? ROUNDS_OF_SMALL : ROUNDS,
  );
  const cpu = await cpuTimes(
    {
      worker: { call: () => through(worker), clock: () => runtimeUse(bare.pid)?.cpuMs ?? Number.NaN },
      sharp: { call: bySharp, clock: cpuTime },
    },
    Math.ceil(MEGAPIXELS_FOR_CPU / megapixels),
  );
  const isForJsquash =
    to === 'jpeg' &&
    (from === 'jpeg' || from === 'progressive') &&
    Object.keys(asked).length === 0 &&
    megapixels <= MOST_MEGAPIXELS_FOR_JSQUASH;
  const jsquash = isForJsquash
    ? await race({ time: () => rewrittenByJsquash(photo, QUALITY) }, 2, cpuTime)
    : undefined;
  const theirs = (await bySharp()).length;
  if (times.worker > times.sharp) behind.push([times.worker / times.sharp, label]);
  tableRow(
    label,
    ms(times.worker),
    ms(times.sharp),
    ratio(times.worker, times.sharp),
    ms(cpu.worker),
    `${ms(cpu.sharp)} (${ratio(cpu.worker, cpu.sharp)})`,
    jsquash ? `${ms(jsquash.time)} (${ratio(cpu.worker, jsquash.time)})` : '',
    ratio(bytes, theirs),
    ...(await peaksOf(photo, options)),
    ms(times.local),
  );
}
behind.sort(([a], [b]) => b - a);
console.log(
  `\nBehind sharp: ${behind.map(([times, label]) => `${label} ${times.toFixed(2)} ×`).join('; ') || 'nothing'}`,
);
