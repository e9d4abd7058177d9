// What an isolate holds by V8's own figures, in workerd itself: idle, with the detector loaded, at the peak
// of 50 MP jobs of each format, and after a soak of mixed calls (SOAK_CALLS, default 500). Compiled code is
// in none of V8's figures: the process' resident memory stands beside them. With DETECTORS=1 it is the Worker
// of `[env.onnx]`, and every call uses all detectors that `npm run build:detectors` has made ready.
import '../../scripts/plain_node.mjs';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { startBareRuntime } from '../fixtures/bare_runtime.ts';
import { type IsolateMemory, isolateTotal, openHeapInspector } from '../fixtures/heap_inspector.ts';
import { issueKey, TEST_SECRETS } from '../fixtures/local_worker.ts';
import { runtimeUse } from '../fixtures/process_memory.ts';
import { photoFile } from './photos.ts';
import { megabytes } from './timing.ts';

const INSPECTOR_PORT = 9339;
const SOAK_CALLS = Number(process.env.SOAK_CALLS ?? 500);
/**
 * Megabytes that V8's heap may grow to. Bare workerd bounds nothing, so that V8 lets garbage lie; an isolate
 * of 128 MB leaves no more beside the WebAssembly memories, the array buffers and compiled code.
 */
const HEAP_MB = Number(process.env.HEAP_MB ?? 48);
/** V8 is asked so often while a job runs. */
const SAMPLE_MS = 40;

await using worker = await startBareRuntime(
  process.env.DETECTORS ? 'src/onnx.ts' : 'src/index.ts',
  ['enable_request_signal'],
  TEST_SECRETS,
  INSPECTOR_PORT,
  [`--max-heap-size=${HEAP_MB}`],
);
const address = `http://127.0.0.1:${worker.port}`;
const health = (await (await fetch(`${address}/v1/health`)).json()) as { detectors: { name: string }[] };
const detectors = Object.fromEntries(health.detectors.map(({ name }) => [name, true]));
using inspector = await openHeapInspector(INSPECTOR_PORT);

let key = await issueKey(address);
let calls = 0;

async function sanitize(file: Uint8Array, asked: { pixelate?: object; output?: object }): Promise<number> {
  const ops = { ...asked, pixelate: { ...asked.pixelate, ...(process.env.DETECTORS && { detectors }) } };
  if (++calls % 25 === 0) key = await issueKey(address);
  const answer = await fetch(`${address}/v1/sanitize?ops=${encodeURIComponent(JSON.stringify(ops))}`, {
    method: 'POST',
    headers: { 'Content-Type': 'image/*', Authorization: `Bearer ${key}` },
    body: new Uint8Array(file),
  });
  await answer.arrayBuffer();
  return answer.status;
}

function print(name: string, memory: IsolateMemory, note = ''): void {
  const parts = Object.entries(memory).map(([part, bytes]) => `${part} ${megabytes(bytes)}`);
  const resident = runtimeUse(worker.pid)?.residentBytes;
  console.log(
    `${name.padEnd(34)} ${megabytes(isolateTotal(memory)).padStart(9)}: ${parts.join(', ')}` +
      `${resident ? `; resident ${megabytes(resident)}` : ''}${note}`,
  );
}

/** The largest sum seen while the job runs. */
async function peakOf(run: () => Promise<number>): Promise<{ peak: IsolateMemory; status: number }> {
  let peak = await inspector.read();
  let isRunning = true;
  const job = run().finally(() => {
    isRunning = false;
  });
  while (isRunning) {
    const now = await inspector.read();
    if (isolateTotal(now) > isolateTotal(peak)) peak = now;
    await wait(SAMPLE_MS);
  }
  return { peak, status: await job };
}

print('idle', await inspector.read(true));
const small = new Uint8Array(await photoFile(1, 'jpeg'));
await sanitize(small, {});
print('with the detector', await inspector.read(true));

const raw = sharp(await photoFile(50, 'jpeg'), { limitInputPixels: false });
const files: Record<string, Uint8Array> = {
  jpeg: new Uint8Array(await photoFile(50, 'jpeg')),
  progressive: new Uint8Array(await photoFile(50, 'progressive')),
  // Less grain, so that it may be sent.
  png: new Uint8Array(await raw.clone().blur(12).png({ compressionLevel: 9 }).toBuffer()),
  gif: new Uint8Array(await raw.clone().blur(6).gif({ effort: 1, colours: 16, dither: 0 }).toBuffer()),
  tiff: new Uint8Array(await raw.clone().blur(3).tiff({ compression: 'jpeg', quality: 80 }).toBuffer()),
  webp: new Uint8Array(await photoFile(50, 'webp')),
  avif: new Uint8Array(await photoFile(50, 'avif')),
};
/** What is written of each beside JPEG. */
const alsoTo: Readonly<Record<string, string>> = { jpeg: 'webp', png: 'png', webp: 'webp' };
for (const [name, file] of Object.entries(files)) {
  for (const format of ['jpeg', ...(alsoTo[name] ? [alsoTo[name]] : [])]) {
    const region = { x: 100, y: 100, w: 900, h: 700 };
    const { peak, status } = await peakOf(() =>
      sanitize(file, { pixelate: { regions: [region] }, output: { format } }),
    );
    print(`50 MP ${name} → ${format}`, peak, `; ${megabytes(file.length)} sent, answered ${status}`);
  }
}

const kinds = [
  small,
  new Uint8Array(await photoFile(12, 'jpeg')),
  new Uint8Array(await photoFile(1, 'png')),
  small.subarray(0, 5000),
];
let soakPeak = await inspector.read();
const statuses: Record<number, number> = {};
for (let call = 0; call < SOAK_CALLS; call++) {
  const status = await sanitize(kinds[call % kinds.length]!, {
    output: { format: call % 3 ? 'jpeg' : 'png' },
  });
  statuses[status] = (statuses[status] ?? 0) + 1;
  const now = await inspector.read();
  if (isolateTotal(now) > isolateTotal(soakPeak)) soakPeak = now;
}
print(`at most after ${SOAK_CALLS} mixed calls`, soakPeak, `; answered ${JSON.stringify(statuses)}`);
print('after the last', await inspector.read());
print('and a collection', await inspector.read(true));
