import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scan } from '../src/metadata/scan.ts';
import { Contract } from './contract/contract.ts';
import { corpusBytes, corpusManifest, corpusPresent } from './fixtures/corpus.ts';
import { declaredAperture } from './fixtures/declared_aperture.ts';
import { type LocalWorker, startLocalWorker } from './fixtures/local_worker.ts';

interface Expectation {
  readonly file: string;
  readonly category: string;
  readonly oriented_width?: number | null;
  readonly oriented_height?: number | null;
  readonly faces_if_clap_ignored?: unknown;
  readonly canaries?: readonly string[];
  readonly expect: { readonly status: readonly number[]; readonly strict: boolean; readonly why: string };
}

const manifest = corpusManifest<Expectation>();

/**
 * Files that two of three lenient decoders show and we refuse: corrupt image data is 422, never a picture
 * with patches of garbage (docs/api.md). libjpeg shows them with warnings.
 */
const CORRUPT_BUT_SHOWN: ReadonlySet<string> = new Set([
  // Huffman codes that do not exist in five restart intervals, others too long or too short.
  'jpeg-meta/Pillow__hopper_bad_exif.jpg',
  // One of its scan headers is garbage.
  'jpeg-encoding/wuffs__182.0-original.jpg',
  // A code that does not exist in the first scan.
  'jpeg-encoding/wuffs__182.2-byte-change.jpg',
]);

/** What may be refused in a small isolate; a larger one must take it. */
const NEEDS_MEMORY = /would take \d+ MB of memory/;
const WHOLE_FRAME = /\.(avif|webp)$/;

/** Of a corpus that is whole. */
const LEAST_FILES = 873;

/** Calls one key may make in a minute, less some. */
const CALLS_PER_KEY = 500;
const CONCURRENCY = 3;

/** The whole corpus of real and broken files through the real Worker over HTTP, when it is there. */
describe.runIf(corpusPresent)('the corpus through the Worker', () => {
  let isolate: LocalWorker;
  let larger: LocalWorker;
  beforeAll(async () => {
    isolate = await startLocalWorker();
    larger = await startLocalWorker({ MEMORY_BUDGET_MB: '2048' });
  });
  afterAll(async () => {
    await isolate?.[Symbol.asyncDispose]();
    await larger?.[Symbol.asyncDispose]();
  });

  it('meets every strict expectation, gives no 5xx, and everything it sends is clean', {
    timeout: 600_000,
  }, async () => {
    const first = await judgeAll(isolate, manifest.files);
    const starved = first.filter(({ file, text }) => WHOLE_FRAME.test(file.file) && NEEDS_MEMORY.test(text));
    const second = await judgeAll(
      larger,
      starved.map(({ file }) => file),
    );
    const judged = [...first.filter((verdict) => !starved.includes(verdict)), ...second];
    const statuses = Object.entries(Object.groupBy(judged, ({ status }) => status));
    console.log(
      `corpus: ${manifest.files.length} files, ${statuses.map(([status, files]) => `${status}: ${files!.length}`).join(', ')}; ` +
        `${starved.length} whole-frame files needed a larger isolate`,
    );
    expect(manifest.files.length).toBeGreaterThanOrEqual(LEAST_FILES);
    expect(judged).toHaveLength(manifest.files.length);
    expect(
      judged.filter(({ problem }) => problem).map(({ file, problem }) => `${file.file}: ${problem}`),
    ).toEqual([]);
    expect(starved.length).toBeLessThan(manifest.files.length / 50);
  });
});

interface Verdict {
  readonly file: Expectation;
  readonly status: number;
  /** The start of an error's body. */
  readonly text: string;
  readonly problem: string | null;
}

/** Every file once, some at a time. */
async function judgeAll(worker: LocalWorker, files: readonly Expectation[]): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  let next = 0;
  const contract = new Contract(JSON.parse(await (await fetch(`${worker.address}/openapi.json`)).text()));
  let key = await worker.issueKey();
  const work = async () => {
    for (let at = next++; at < files.length; at = next++) {
      if (at % CALLS_PER_KEY === CALLS_PER_KEY - 1) key = await worker.issueKey();
      verdicts.push(await judge(worker.address, contract, key, files[at]!));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return verdicts;
}

/** Sends one file and says what is wrong with the answer, if anything. */
async function judge(address: string, contract: Contract, key: string, file: Expectation): Promise<Verdict> {
  const faces = file.category === 'faces';
  // A JPEG cannot be longer than this along an edge (ITU-T T.81, B.2.2).
  const format = Math.max(file.oriented_width ?? 0, file.oriented_height ?? 0) > 65535 ? 'png' : 'jpeg';
  const ops = encodeURIComponent(JSON.stringify({ pixelate: { faces }, output: { format } }));
  const answer = await fetch(`${address}/v1/sanitize?ops=${ops}`, {
    method: 'POST',
    headers: { 'Content-Type': 'image/jpeg', Authorization: `Bearer ${key}` },
    body: corpusBytes(file),
  });
  const [undescribed] = await contract.faults('POST', '/v1/sanitize', answer.clone());
  const body = new Uint8Array(await answer.arrayBuffer());
  const { status } = answer;
  const text = status === 200 ? '' : new TextDecoder().decode(body.subarray(0, 300));
  const allowed = CORRUPT_BUT_SHOWN.has(file.file) ? [422] : file.expect.status;
  const problem = allowed.includes(status)
    ? status === 200
      ? faultOf(body, file)
      : null
    : `expected ${allowed.join(' or ')} (${file.expect.why}) but got ${status} ${text}`;
  return { file, status, text, problem: problem ?? undescribed ?? null };
}

function faultOf(body: Uint8Array, file: Expectation): string | null {
  const facts = scan(body);
  if (!facts?.complete) return 'the output is not a whole image';
  if (facts.blocks.length > 0) return `the output carries ${facts.blocks.map(({ name }) => name).join(', ')}`;
  for (const secret of [manifest.canary, ...(file.canaries ?? [])]) {
    if (Buffer.from(body).includes(secret)) return 'a canary is in the output';
  }
  // The manifest has the sizes of whole pictures.
  const [width, height] = declaredAperture(corpusBytes(file)) ?? [file.oriented_width, file.oriented_height];
  if (width && height && (facts.width !== width || facts.height !== height)) {
    return `expected ${width} × ${height} pixels but got ${facts.width} × ${facts.height}`;
  }
  return null;
}
