// `npm run build:server`: builds everything for a self-hosted server into dist/server: the bundle as it is
// deployed, the files of the pages, third-party notices, and the configuration of workerd. With `--
// --detectors <folder>` it is the bundle of `[env.onnx]`, with the detectors of that folder.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { unstable_readConfig as readConfig } from 'wrangler';
import { ensureCore } from '../core/ensure.mjs';
import { counterConfig, workerdConfig } from './config.mjs';
import { mediaTypeOf } from './media_types.mjs';
import { bundledWorks, noticesText } from './notices.mjs';

/** Time limit for opening and testing all detectors of a folder. */
const DETECTORS_MS = 120_000;

const { detectors } = parseArgs({ options: { detectors: { type: 'string' } } }).values;
const folder = detectors === undefined ? undefined : resolve(detectors);
process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
if (folder !== undefined) buildDetectors(folder);
const main = folder === undefined ? 'index.js' : 'onnx.js';
await ensureCore();
const out = 'dist/server';
// Built next to the target and renamed, so that a server never starts from an incomplete build.
const unfinished = `${out}.${process.pid}`;
const previous = `${out}.previous`;
try {
  mkdirSync(unfinished, { recursive: true });
  const wrangler = 'node_modules/wrangler/bin/wrangler.js';
  const environment = folder === undefined ? '' : 'onnx';
  const outdir = ['--outdir', join(unfinished, 'worker')];
  execFileSync(process.execPath, [wrangler, 'deploy', '--dry-run', '--env', environment, ...outdir], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false', WRANGLER_LOG: 'error' },
  });
  const { sources } = JSON.parse(readFileSync(join(unfinished, `worker/${main}.map`), 'utf8'));
  const works = bundledWorks(sources, readdirSync(join(unfinished, 'worker')));
  writeFileSync(join(unfinished, 'THIRD_PARTY_NOTICES.txt'), noticesText(works, 'node_modules'));
  for (const name of ['README.md', `${main}.map`]) rmSync(join(unfinished, 'worker', name), { force: true });
  cpSync(folder === undefined ? 'dist/assets' : 'dist/detectors/assets', join(unfinished, 'pages'), {
    recursive: true,
  });
  cpSync('scripts/serve/pages.js', join(unfinished, 'pages.js'));
  const { compatibility_date: compatibilityDate, compatibility_flags: flags } = readConfig({
    config: 'wrangler.toml',
  });
  // workerd warns of it at each start: it is the default of this date. Wrangler wants to be told.
  const compatibilityFlags = flags.filter((flag) => flag !== 'nodejs_compat');
  const config = workerdConfig({
    main,
    files: readdirSync(join(unfinished, 'worker')),
    compatibilityDate,
    compatibilityFlags,
    pages: pageTable(join(unfinished, 'pages')),
  });
  writeFileSync(join(unfinished, 'config.capnp'), config);
  writeFileSync(join(unfinished, 'counter.capnp'), counterConfig({ compatibilityDate, compatibilityFlags }));
  await bundleParts(unfinished);
  if (folder !== undefined) cpSync('dist/detectors/memory.json', join(unfinished, 'detectors.json'));
  // Compiled with everything it embeds: otherwise workerd would keep the text it reads in memory, 10 MB of
  // it.
  const { default: workerd } = createRequire(import.meta.url)('workerd');
  for (const name of ['config', 'counter']) {
    const compiled = execFileSync(workerd, ['compile', '--config-only', join(unfinished, `${name}.capnp`)], {
      maxBuffer: 1 << 30,
    });
    writeFileSync(join(unfinished, `${name}.bin`), compiled);
  }
  // A running server reads its pages there until it has taken the new build.
  rmSync(previous, { recursive: true, force: true });
  if (existsSync(out)) renameSync(out, previous);
  renameSync(unfinished, out);
} finally {
  rmSync(unfinished, { recursive: true, force: true });
}

/** The counting process's code, and what the front shares with the Worker. */
async function bundleParts(folder) {
  const common = { bundle: true, format: 'esm', minify: true, target: 'es2024', logLevel: 'error' };
  await build({
    ...common,
    entryPoints: ['src/api/own_server/counters.ts'],
    outfile: join(folder, 'counter.js'),
    external: ['cloudflare:workers'],
  });
  await build({
    ...common,
    entryPoints: ['src/api/own_server/front.ts'],
    outfile: join(folder, 'front.mjs'),
    platform: 'node',
  });
}

/** Builds the detectors; their build reports what is wrong with the folder. */
function buildDetectors(path) {
  const script = ['--no-warnings', 'scripts/detectors/build.mjs', path];
  const { status, error } = spawnSync(process.execPath, script, { stdio: 'inherit', timeout: DETECTORS_MS });
  if (error)
    console.error(`${path}: Expected detectors that open within ${DETECTORS_MS / 1000} s (${error.code})`);
  if (status !== 0) process.exit(1);
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
