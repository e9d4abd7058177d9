// `npm run smoke -- https://sanitizer.example`: checks in a few calls whether a deployed service does its
// job. Without a key, one of them uses the free call of a minute; IMAGE_SANITIZER_KEY provides a key.
import { CANARY, taggedPicture } from './picture.mjs';

const [, , given = ''] = process.argv;
if (!/^https?:$/.test(URL.canParse(given) ? new URL(given).protocol : '')) {
  console.error('usage: npm run smoke -- <http or https address of the service>');
  process.exit(2);
}
const { origin, protocol, hostname } = new URL(given);
const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
const key = process.env.IMAGE_SANITIZER_KEY;
const picture = taggedPicture();

/** Each check by name; it throws, or returns what is wrong. */
const checks = [
  [
    'is up',
    async () => {
      const answer = await ask('/v1/health');
      return answer.status === 200 && JSON.parse(answer.text).status === 'ok'
        ? ''
        : `status ${answer.status}`;
    },
  ],
  [
    'cleans a picture',
    async () => {
      const { status, bytes, headers } = await ask('/v1/sanitize', {
        method: 'POST',
        headers: { 'Content-Type': 'image/png', ...(key && { Authorization: `Bearer ${key}` }) },
        body: picture,
      });
      if (status === 429) return 'the free call of this minute is taken: wait, or set IMAGE_SANITIZER_KEY';
      if (status !== 200) return `status ${status}`;
      if (!bytes.subarray(0, 2).equals(Buffer.from([0xff, 0xd8]))) return 'the answer is no JPEG';
      if (bytes.includes(CANARY)) return 'the metadata came back';
      return headers.get('X-Service-Retention') === 'none' ? '' : 'X-Service-Retention is not none';
    },
  ],
  [
    'refuses a wrong key',
    async () => {
      const { status } = await ask('/v1/usage', { headers: { Authorization: 'Bearer isk_wrong' } });
      return status === 401 ? '' : `status ${status}`;
    },
  ],
  [
    'issues keys to nobody without the admin token',
    async () => {
      const { status } = await ask('/v1/keys', { method: 'POST' });
      // 404: a proxy hides the address; 503: a deployment without secrets.
      return [401, 404, 503].includes(status) ? '' : `status ${status}`;
    },
  ],
  [
    'describes itself under its own address',
    async () => {
      const { text } = await ask('/openapi.json');
      const [{ url }] = JSON.parse(text).servers;
      return url === '/' || url === origin ? '' : `PUBLIC_ORIGIN is ${url}`;
    },
  ],
  [
    'serves its pages',
    async () => {
      for (const path of ['/', '/docs']) {
        const { status, headers } = await ask(path);
        if (status !== 200 || !headers.get('Content-Type')?.startsWith('text/html'))
          return `${path}: ${status}`;
        if (!headers.get('Content-Security-Policy')) return `${path} has no Content-Security-Policy`;
      }
      return '';
    },
  ],
  [
    'forbids plain HTTP',
    async () => {
      if (isLocal) return '';
      if (protocol === 'http:') return 'this address is plain HTTP';
      const { headers } = await ask('/v1/health');
      return headers.has('Strict-Transport-Security')
        ? ''
        : 'no Strict-Transport-Security: set PUBLIC_ORIGIN';
    },
  ],
];

for (const [name, check] of checks) {
  const fault = await check().catch((error) => error.cause?.code ?? error.message);
  console.log(fault ? `FAILED  ${name}: ${fault}` : `ok      ${name}`);
  if (fault) process.exitCode = 1;
}

async function ask(path, init = {}) {
  const answer = await fetch(origin + path, {
    ...init,
    redirect: 'manual',
    signal: AbortSignal.timeout(30_000),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, headers: answer.headers, bytes, text: bytes.toString() };
}
