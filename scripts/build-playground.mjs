// Builds the page at GET / from src/playground into dist/assets/playground: a document, a script, a style
// sheet, and what its workers load: the library's pipeline. The names of all but the document carry a hash of
// their content. Run by npm's prepare step and `npm run build:playground`.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { en } from '../src/playground/texts/en.ts';
import { ensureCore } from './ensure_core.mjs';
import { noticesOf } from './package_notices.mjs';
import { deviceAssets } from './playground/device_assets.mjs';
import { fillTexts } from './playground/fill_texts.mjs';
import { iconPng } from './playground/icon_png.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
await ensureCore();
const out = 'dist/assets/playground';
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

/** Addresses of the files that work without a network, by when they are kept; see src/playground/offline. */
const kept = { first: ['/'], later: [] };
/** Kilobytes that each group of files has when compressed. */
const weights = new Map();
function write(group, name, contents) {
  writeFileSync(`${out}/${name}`, contents);
  const bytes = name.endsWith('.gz') ? contents.length : gzipSync(contents, { level: 9 }).length;
  weights.set(group, (weights.get(group) ?? 0) + bytes / 1024);
  const address = `/playground/${name}`;
  kept[group === 'detector' ? 'later' : 'first'].push(address);
  return address;
}

const common = {
  bundle: true,
  minify: true,
  write: false,
  outdir: out,
  format: 'esm',
  target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
  legalComments: 'none',
  metafile: true,
  alias: {
    '#home': resolve('src/library/home_web.ts'),
    '#threads': resolve('src/playground/engine/page_threads.ts'),
  },
};

const page = await build({
  ...common,
  entryPoints: { page: 'src/playground/main.ts', style: 'src/playground/style.css' },
  splitting: true,
  chunkNames: '[name].[hash]',
});
const worker = await build({
  ...common,
  entryPoints: { worker: 'src/library/worker_thread_web.ts' },
  splitting: true,
  entryNames: '[name].[hash]',
  chunkNames: '[name].[hash]',
  plugins: [
    deviceAssets((name, contents) =>
      write(
        /^(?:ort|face)/.test(name) ? 'detector' : name.startsWith('lcms') ? 'colour' : 'worker',
        name,
        contents,
      ),
    ),
  ],
});

let document = fillTexts(readFileSync('src/playground/index.html', 'utf8'), en);
for (const { path, contents } of page.outputFiles) {
  const [, name, extension] = /([^/\\]+)\.(js|css)$/.exec(path);
  if (name !== 'page' && name !== 'style') {
    write('zip', basename(path), contents);
    continue;
  }
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 12);
  const address = write('page', `${name}.${hash}.${extension}`, contents);
  document = document.replace(`./${name === 'page' ? 'main.ts' : 'style.css'}`, address);
}
for (const { path, contents } of worker.outputFiles) {
  const name = basename(path);
  const address = write(name.startsWith('session') ? 'detector' : 'worker', name, contents);
  if (name.startsWith('worker.')) document = document.replace('./worker.ts', address);
}
writeFileSync(`${out}/index.html`, document);
write('page', 'icon.svg', readFileSync('src/playground/icon.svg'));
for (const side of [180, 192, 512]) writeFileSync(`${out}/icon-${side}.png`, iconPng(side));
writeFileSync(`${out}/manifest.webmanifest`, readFileSync('src/playground/manifest.json'));

const version = createHash('sha256').update(document).update(JSON.stringify(kept)).digest('hex').slice(0, 12);
const [serviceWorker] = (
  await build({
    ...common,
    entryPoints: ['src/playground/offline/service_worker.ts'],
    define: { PAGE_FILES: JSON.stringify({ version, ...kept }) },
  })
).outputFiles;
writeFileSync(`${out}/service_worker.js`, serviceWorker.contents);
const inputs = [page, worker].flatMap(({ metafile }) => Object.keys(metafile.inputs));
writeFileSync(`${out}/notices.txt`, noticesOf(inputs));
const sizes = [...weights].map(([group, kilobytes]) => `${group} ${kilobytes.toFixed(1)} KB`);
console.log(`playground, compressed: ${sizes.join(', ')}`);
