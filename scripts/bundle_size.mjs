// Builds the Worker as a deployment would, without deploying it, and prints its size, part by part.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureCore } from './core/ensure.mjs';

/** Cloudflare's limit for one Worker, uncompressed. */
const LIMIT_MIB = 64;

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
await ensureCore();
const out = mkdtempSync(join(tmpdir(), 'bundle-'));
try {
  const wrangler = fileURLToPath(new URL('../node_modules/wrangler/bin/wrangler.js', import.meta.url));
  execFileSync(process.execPath, [wrangler, 'deploy', '--env', '', '--dry-run', '--outdir', out], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false', WRANGLER_LOG: 'error' },
  });
  const files = readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.map') && entry.name !== 'README.md')
    .map((entry) => ({
      name: entry.name.replace(/^[0-9a-f]{40}-/, ''),
      bytes: statSync(join(entry.parentPath, entry.name)).size,
    }))
    .sort((a, b) => b.bytes - a.bytes);
  for (const { name, bytes } of files) console.log(`${(bytes / 1024).toFixed(0).padStart(8)} KiB  ${name}`);
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0) / (1024 * 1024);
  console.log(`Worker bundle: ${total.toFixed(1)} MiB of ${LIMIT_MIB} MiB`);
  if (total > LIMIT_MIB) process.exitCode = 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}
