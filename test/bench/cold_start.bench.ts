// The first sanitized photograph of 1 megapixel in a fresh isolate, with and without faces, beside what the
// same request takes when warm: by the clock and in CPU time of the runtime's threads, in workerd itself with
// nothing between. What the script takes to start is apart: on Cloudflare a fresh isolate may wait for it,
// too. Then what the bundle is made of.
import { execFileSync } from 'node:child_process';
import { startBareRuntime } from '../fixtures/bare_runtime.ts';
import { issueKey, TEST_SECRETS } from '../fixtures/local_worker.ts';
import { runtimeUse } from '../fixtures/process_memory.ts';
import { photoFile } from './photos.ts';
import { startTable, tableRow } from './table.ts';
import { ms } from './timing.ts';

/** Fresh runtimes: CPU time is told in steps of 10 ms, so the table has means of it, and the least clock. */
const ROUNDS = 8;
const WARM_CALLS = 5;

const photo = new Uint8Array(await photoFile(1, 'jpeg'));
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const least = (values: readonly number[]) => Math.min(...values);

startTable('The first photograph of a fresh isolate', ['1 MP JPEG', 'clock', 'CPU', 'warm', 'to start, CPU']);
for (const faces of [false, true]) {
  const clock: number[] = [];
  const cpu: number[] = [];
  const warm: number[] = [];
  const starts: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await using runtime = await startBareRuntime('src/index.ts', ['enable_request_signal'], TEST_SECRETS);
    const address = `http://127.0.0.1:${runtime.port}`;
    const key = await issueKey(address);
    const cpuMs = () => runtimeUse(runtime.pid)?.cpuMs ?? Number.NaN;
    const sanitize = async () => {
      const ops = encodeURIComponent(JSON.stringify({ pixelate: { faces } }));
      const from = performance.now();
      const answer = await fetch(`${address}/v1/sanitize?ops=${ops}`, {
        method: 'POST',
        headers: { 'Content-Type': 'image/jpeg', Authorization: `Bearer ${key}` },
        body: photo,
      });
      const body = await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`${answer.status} ${new TextDecoder().decode(body)}`);
      return performance.now() - from;
    };
    const started = cpuMs();
    clock.push(await sanitize());
    starts.push(started);
    cpu.push(cpuMs() - started);
    for (let call = 0; call < WARM_CALLS; call++) warm.push(await sanitize());
  }
  const label = faces ? 'faces looked for' : 'without faces';
  tableRow(label, ms(least(clock)), ms(mean(cpu)), ms(least(warm)), ms(mean(starts)));
}
execFileSync(process.execPath, ['scripts/bundle_size.mjs'], { stdio: 'inherit' });
