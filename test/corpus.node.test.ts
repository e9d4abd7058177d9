import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scan } from '../src/metadata/scan.ts';
import { type LocalWorker, startLocalWorker } from './fixtures/local_worker.ts';

/** The whole corpus of real and broken files through the real Worker over HTTP, when it is there. */
const folder = join(process.cwd(), '..', 'shared', 'corpus');
const present = existsSync(join(folder, 'manifest.json'));

interface Expectation {
  readonly file: string;
  readonly category: string;
  readonly oriented_width?: number | null;
  readonly oriented_height?: number | null;
  readonly faces_if_clap_ignored?: unknown;
  readonly canaries?: readonly string[];
  readonly expect: { readonly status: readonly number[]; readonly strict: boolean; readonly why: string };
}

const manifest: { canary: string; files: Expectation[] } = present
  ? JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
  : { canary: '', files: [] };
if (!present) console.log('skipped: the corpus of real files is not here');

/** Calls one key may make in a minute, less some. */
const CALLS_PER_KEY = 500;
const CONCURRENCY = 3;

describe.runIf(present)('the corpus through the Worker', () => {
  let worker: LocalWorker;
  beforeAll(async () => {
    worker = await startLocalWorker();
  });
  afterAll(async () => {
    await worker?.[Symbol.asyncDispose]();
  });

  it('meets every strict expectation, gives no 5xx, and everything it sends is clean', {
    timeout: 600_000,
  }, async () => {
    const problems: string[] = [];
    const statuses = new Map<number, number>();
    let next = 0;
    let key = '';
    const work = async () => {
      for (let at = next++; at < manifest.files.length; at = next++) {
        if (at % CALLS_PER_KEY === 0) key = await worker.issueKey();
        const file = manifest.files[at]!;
        const { status, problem } = await judge(worker.address, key, file, manifest.canary);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (problem) problems.push(`${file.file}: ${problem} (${file.expect.why})`);
      }
    };
    key = await worker.issueKey();
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
    console.log(`corpus: ${manifest.files.length} files, ${counts.join(', ')}`);
    expect(problems).toEqual([]);
  });
});

/** Sends one file and says what is wrong with the answer, if anything. */
async function judge(address: string, key: string, file: Expectation, canary: string) {
  const faces = file.category === 'faces';
  // A JPEG cannot be longer than this along an edge (ITU-T T.81, B.2.2).
  const format = Math.max(file.oriented_width ?? 0, file.oriented_height ?? 0) > 65535 ? 'png' : 'jpeg';
  const ops = encodeURIComponent(JSON.stringify({ pixelate: { faces }, output: { format } }));
  const answer = await fetch(`${address}/v1/sanitize?ops=${ops}`, {
    method: 'POST',
    headers: { 'Content-Type': 'image/jpeg', Authorization: `Bearer ${key}` },
    body: readFileSync(join(folder, file.file)),
  });
  const body = new Uint8Array(await answer.arrayBuffer());
  const { status } = answer;
  const text = () => new TextDecoder().decode(body.subarray(0, 300));
  const allowed =
    file.expect.status.includes(status) ||
    (status === 400 && body.length > 0 && file.expect.status.includes(422) && !file.expect.strict);
  if (!allowed)
    return { status, problem: `expected ${file.expect.status.join(' or ')} but got ${status} ${text()}` };
  if (status !== 200) return { status, problem: null };
  return { status, problem: faultOf(body, file, canary) };
}

function faultOf(body: Uint8Array, file: Expectation, canary: string): string | null {
  const facts = scan(body);
  if (!facts?.complete) return 'the output is not a whole image';
  if (facts.blocks.length > 0) return `the output carries ${facts.blocks.map(({ name }) => name).join(', ')}`;
  for (const secret of [canary, ...(file.canaries ?? [])]) {
    if (Buffer.from(body).includes(secret)) return 'a canary is in the output';
  }
  const { oriented_width: width, oriented_height: height } = file;
  if (width && height && (facts.width !== width || facts.height !== height)) {
    return `expected ${width} × ${height} pixels but got ${facts.width} × ${facts.height}`;
  }
  return null;
}
