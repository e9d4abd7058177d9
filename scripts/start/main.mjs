// `npm start`: makes local secrets on the first run, serves the Worker with wrangler dev, and says how to try
// it. Extra arguments go to wrangler dev: npm start -- --port 8799
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ensureCore } from '../core/ensure.mjs';
import { localSecrets } from '../secrets/local.mjs';
import { isPortFree } from './free_port.mjs';

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
await ensureCore();
const args = process.argv.slice(2);
const portFlag = args.findIndex((arg) => arg === '--port' || arg.startsWith('--port='));
const port = portFlag < 0 ? '8787' : (args[portFlag].split('=')[1] ?? args[portFlag + 1]);
if (!(await isPortFree(Number(port)))) {
  console.error(`Port ${port} is in use by another program: npm start -- --port <another port>`);
  process.exit(1);
}
const { ADMIN_TOKEN } = localSecrets();

const server = spawn(
  process.execPath,
  [
    fileURLToPath(new URL('../../node_modules/wrangler/bin/wrangler.js', import.meta.url)),
    'dev',
    ...(args.some((arg) => /^(?:-e|--env)\b/.test(arg)) ? [] : ['--env', '']),
    ...localSettings(),
    ...args,
  ],
  {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // Local runs need nothing from outside: no request metadata is fetched, nothing is reported.
    env: { CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_SEND_METRICS: 'false', ...process.env },
  },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
server.on('exit', (code) => process.exit(code ?? 1));

// Wrangler itself tells where it listens: the admin token goes there and nowhere else, whatever else there is
// on this machine.
const { ip, port: servedPort } = await ready();
const address = `http://${ip.includes(':') ? `[${ip}]` : ip}:${servedPort}`;
console.log(welcome(await issueLocalKey()));

/** Resolves when wrangler serves. */
function ready() {
  return new Promise((resolve) => {
    server.on('message', (message) => {
      const event = JSON.parse(String(message));
      if (event.event === 'DEV_SERVER_READY') resolve(event);
    });
  });
}

/** No proxy stands before a local server, so no header can tell the client's address. */
function localSettings() {
  return args.some((arg) => arg.includes('TRUSTED_PROXY_HEADER:'))
    ? []
    : ['--var', 'TRUSTED_PROXY_HEADER:none'];
}

async function issueLocalKey() {
  const answer = await fetch(`${address}/v1/keys`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ plan: 'pro' }),
  });
  const { key, error, message } = await answer.json();
  if (error === 'misconfigured') {
    console.error(`${message}\nSettings are in wrangler.toml, .dev.vars and after --var.`);
    server.kill();
    process.exit(1);
  }
  return key ?? null;
}

/** @param {string | null} key */
function welcome(key) {
  return `
The image sanitizer is serving at ${address}

Admin token (POST /v1/keys): ${ADMIN_TOKEN}
A key to try it with (pro plan, counted on this machine only):
  export IMAGE_SANITIZER_KEY=${key ?? '<none could be issued>'}

Sanitize a photo:
  curl -sS --fail-with-body --data-binary @photo.jpg -H 'Content-Type: image/jpeg' \\
    -H "Authorization: Bearer $IMAGE_SANITIZER_KEY" \\
    ${address}/v1/sanitize -o sanitized.jpg
`;
}
