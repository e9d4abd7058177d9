// `npm run build:server`: everything that a server of one's own needs, in dist/server: the bundle as it is
// deployed, the files of the pages, the notices of works of others, and the configuration of workerd.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unstable_readConfig as readConfig } from 'wrangler';
import { ensureCore } from '../core/ensure.mjs';
import { workerdConfig } from './config.mjs';
import { mediaTypeOf } from './media_types.mjs';
import { bundledWorks, noticesText } from './notices.mjs';

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
await ensureCore();
const out = 'dist/server';
// Made beside it and renamed, so that a server never starts from half of it.
const unfinished = `${out}.${process.pid}`;
try {
  mkdirSync(unfinished, { recursive: true });
  const wrangler = 'node_modules/wrangler/bin/wrangler.js';
  execFileSync(process.execPath, [wrangler, 'deploy', '--dry-run', '--outdir', join(unfinished, 'worker')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false', WRANGLER_LOG: 'error' },
  });
  const { sources } = JSON.parse(readFileSync(join(unfinished, 'worker/index.js.map'), 'utf8'));
  const works = bundledWorks(sources, readdirSync(join(unfinished, 'worker')));
  writeFileSync(join(unfinished, 'THIRD_PARTY_NOTICES.txt'), noticesText(works, 'node_modules'));
  for (const name of ['README.md', 'index.js.map']) rmSync(join(unfinished, 'worker', name), { force: true });
  cpSync('dist/assets', join(unfinished, 'pages'), { recursive: true });
  cpSync('scripts/serve/pages.js', join(unfinished, 'pages.js'));
  const { compatibility_date: compatibilityDate, compatibility_flags: compatibilityFlags } = readConfig({
    config: 'wrangler.toml',
  });
  const config = workerdConfig({
    main: 'index.js',
    files: readdirSync(join(unfinished, 'worker')),
    compatibilityDate,
    compatibilityFlags,
    pages: pageTable(join(unfinished, 'pages')),
  });
  writeFileSync(join(unfinished, 'config.capnp'), config);
  // With all that it embeds: what workerd reads from the text it holds in memory for good, 10 MB of it.
  const { default: workerd } = createRequire(import.meta.url)('workerd');
  const compiled = execFileSync(workerd, ['compile', '--config-only', join(unfinished, 'config.capnp')], {
    maxBuffer: 1 << 30,
  });
  writeFileSync(join(unfinished, 'config.bin'), compiled);
  rmSync(out, { recursive: true, force: true });
  renameSync(unfinished, out);
} finally {
  rmSync(unfinished, { recursive: true, force: true });
}

/** Every file of the pages by its path, with its media type and its entity tag. */
function pageTable(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const hash = createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 32);
      return [
        `/${relative(folder, path).replaceAll('\\', '/')}`,
        { type: mediaTypeOf(path), tag: `"${hash}"` },
      ];
    }),
  );
}
