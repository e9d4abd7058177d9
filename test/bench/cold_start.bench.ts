// From the start of the runtime's process to the first sanitized photograph of 1 megapixel, with and without
// faces, beside what the same request takes when warm; and what the bundle is made of.
import { execFileSync } from 'node:child_process';
import { startLocalWorker } from '../fixtures/local_worker.ts';
import { photoFile } from './photos.ts';
import { ms } from './timing.ts';

const photo = new Uint8Array(await photoFile(1, 'jpeg'));
const WARM_CALLS = 5;

for (const faces of [false, true]) {
  const started = performance.now();
  await using worker = await startLocalWorker();
  const healthy = performance.now();
  const sanitizeOnce = async () => {
    const ops = encodeURIComponent(JSON.stringify({ pixelate: { faces } }));
    const answer = await fetch(`${worker.address}/v1/sanitize?ops=${ops}`, {
      method: 'POST',
      headers: { 'Content-Type': 'image/jpeg', Authorization: `Bearer ${key}` },
      body: photo,
    });
    const body = await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${answer.status} ${new TextDecoder().decode(body)}`);
  };
  const key = await worker.issueKey();
  const asked = performance.now();
  await sanitizeOnce();
  const first = performance.now();
  let warm = Number.POSITIVE_INFINITY;
  for (let call = 0; call < WARM_CALLS; call++) {
    const from = performance.now();
    await sanitizeOnce();
    warm = Math.min(warm, performance.now() - from);
  }
  console.log(
    `faces ${faces ? 'on' : 'off'}: first photograph ${ms(first - started)} after the start of the process ` +
      `(tools and runtime ${ms(healthy - started)}, the request itself ${ms(first - asked)}); warm ${ms(warm)}`,
  );
}
execFileSync(process.execPath, ['scripts/bundle_size.mjs'], { stdio: 'inherit' });
