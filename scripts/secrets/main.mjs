// `npm run secrets`: generates the secrets that the deployment on Cloudflare lacks, and sets them there.
// `npm run secrets -- --env`: generates those missing in the git-ignored file .env, for a self-hosted server.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { putMissingSecrets } from './cloudflare.mjs';
import { localSecrets } from './local.mjs';

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
const [target] = process.argv.slice(2);
if (target === '--env') {
  localSecrets('.env');
  console.log('.env has all secrets. Load it with: set -a; . ./.env; set +a');
} else if (target === undefined) {
  try {
    const made = putMissingSecrets(wrangler);
    console.log(`Made: ${Object.keys(made).join(', ') || 'none, all are there'}`);
    // Cloudflare never shows it again.
    if (made.ADMIN_TOKEN) console.log(`The admin token, shown this once: ${made.ADMIN_TOKEN}`);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
} else {
  console.error('usage: npm run secrets [-- --env]');
  process.exitCode = 2;
}

function wrangler(args, input) {
  return spawnSync(process.execPath, ['node_modules/wrangler/bin/wrangler.js', ...args, '--env', ''], {
    input: input ?? '',
    encoding: 'utf8',
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
  });
}
