// How fast a 25 MB image is read from each form of body in the Workers runtime: over HTTP, beside what merely
// taking the bytes costs there, and from memory, where only the reading counts.
import { createTestHarness } from 'wrangler';
import { megabytes, ms, race } from './timing.ts';

process.env.CLOUDFLARE_CF_FETCH_ENABLED = 'false';

const ROUNDS = 7;
const TIMES = 8;

const image = Buffer.alloc(25 * 1024 * 1024);
for (let i = 0; i < image.length; i += 4) image.writeUInt32LE((i * 2654435761) >>> 0, i);
const base64 = image.toString('base64');
const bodies: readonly (readonly [name: string, type: string, body: Buffer])[] = [
  ['JSON', 'application/json', Buffer.from(`{"image":"${base64}"}`)],
  [
    'JSON, lines wrapped',
    'application/json',
    Buffer.from(`{"image":"${base64.replace(/.{76}/g, '$&\\n')}"}`),
  ],
  ['JSON, slashes escaped', 'application/json', Buffer.from(`{"image":"${base64.replaceAll('/', '\\/')}"}`)],
  [
    'multipart',
    'multipart/form-data; boundary=B',
    Buffer.concat([
      Buffer.from('--B\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n'),
      image,
      Buffer.from('\r\n--B--\r\n'),
    ]),
  ],
  ['raw image', 'image/jpeg', image],
];

const server = createTestHarness({
  workers: [
    {
      config: { name: 'body-bench', main: 'test/bench/body_worker.ts', compatibility_date: '2026-10-20' },
    },
  ],
});
const { url } = await server.listen();

async function send(path: string, type: string, body: Buffer): Promise<void> {
  const answer = await fetch(new URL(path, url), {
    method: 'POST',
    headers: { 'Content-Type': type },
    body: new Uint8Array(body),
  });
  const length = await answer.text();
  const expected = path === '/bytes' ? body.length : image.length;
  if (length !== String(expected)) throw new Error(`${answer.status}: ${length}`);
}

for (const [name, type, body] of bodies) {
  const { read, bytes, once, again } = await race(
    {
      read: () => send('/read', type, body),
      bytes: () => send('/bytes', type, body),
      once: () => send('/again?times=1', type, body),
      again: () => send(`/again?times=${1 + TIMES}`, type, body),
    },
    ROUNDS,
  );
  const alone = (again - once) / TIMES;
  const speed = body.length / (1024 * 1024) / (alone / 1000);
  console.log(
    `${name.padEnd(22)} ${megabytes(body.length)}: over HTTP ${ms(read)} (the bytes alone ${ms(bytes)}), ` +
      `from memory ${ms(alone)} = ${speed.toFixed(0)} MB/s`,
  );
}
await server.close();
