// `npm run capacity:measure`: measures, on this machine, the CPU times used in docs/capacity.md: of the whole
// runtime for one call over HTTP, one after the other, the median of seven. Run it on a quiet machine, and
// copy its output into CALLS of figures.mjs; `npm run capacity` then prints the tables. Linux only.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { issueKey, startServer } from '../load/server.mjs';
import { cpuSecondsOf } from '../serve/watchdog.mjs';
import { CALLS } from './figures.mjs';

const CALLS_EACH = 7;

const noFaces = { pixelate: { faces: false } };
/** Address and ops for each kind in CALLS. */
const KINDS = {
  faces: ['/v1/sanitize', {}],
  'no faces': ['/v1/sanitize', noFaces],
  webp: ['/v1/sanitize', { ...noFaces, output: { format: 'webp' } }],
  inspect: ['/v1/inspect'],
};

/** A picture of grain, 4000 × 3000, as a JPEG of about the length used in the model. */
async function photograph() {
  const grain = { type: 'gaussian', mean: 128, sigma: 12 };
  const raw = await sharp({ create: { width: 4000, height: 3000, channels: 3, noise: grain } })
    .blur(1)
    .raw()
    .toBuffer();
  let nearest = Buffer.alloc(0);
  for (let quality = 40; quality <= 98; quality++) {
    const jpeg = await sharp(raw, { raw: { width: 4000, height: 3000, channels: 3 } })
      .jpeg({ quality })
      .toBuffer();
    const distance = (file) => Math.abs(file.length - CALLS.faces.fileBytes);
    if (distance(jpeg) < distance(nearest)) nearest = jpeg;
  }
  return nearest;
}

/** Of all processes: the front, the one that counts, and the one that works on the picture. */
const cpuMs = () =>
  [server.pid, server.counterPid, server.runtimePid].reduce((sum, pid) => sum + cpuSecondsOf(pid) * 1000, 0);

execFileSync(process.execPath, [fileURLToPath(new URL('../serve/build.mjs', import.meta.url))]);
const data = mkdtempSync(join(tmpdir(), 'capacity-'));
const server = await startServer(data);
try {
  const body = await photograph();
  const key = await issueKey(server.address);
  console.log(`a file of ${body.length} bytes; load of the machine ${loadavg()[0].toFixed(1)}`);
  for (const [kind, [path, ops]] of Object.entries(KINDS)) {
    const times = [];
    // The first call loads what later ones find loaded.
    for (let call = 0; call <= CALLS_EACH; call++) {
      const before = cpuMs();
      const query = ops ? `?ops=${encodeURIComponent(JSON.stringify(ops))}` : '';
      const answer = await fetch(server.address + path + query, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'image/jpeg' },
        body,
      });
      const { byteLength } = await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`${kind}: ${answer.status}`);
      if (call > 0) times.push({ cpu: cpuMs() - before, byteLength });
    }
    times.sort((a, b) => a.cpu - b.cpu);
    const { cpu, byteLength } = times[(CALLS_EACH - 1) / 2];
    console.log(
      `${kind}: ${cpu} ms (${times[0].cpu} to ${times.at(-1).cpu}), an answer of ${byteLength} bytes`,
    );
  }
} finally {
  await server.stop();
  rmSync(data, { recursive: true, force: true });
}
