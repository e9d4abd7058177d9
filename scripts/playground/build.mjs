// Builds the page at GET / from src/playground into dist/assets/playground: a document with its style, a
// script, and what its workers load: the library's pipeline. The names of all but the document carry a hash
// of their content. Run by npm's prepare step and `npm run build:playground`. With `--detectors` and the
// folder that scripts/detectors/build.mjs has made it is the page that offers these, in its `assets`.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { de } from '../../src/playground/texts/de.ts';
import { en } from '../../src/playground/texts/en.ts';
import { ensureCore } from '../core/ensure.mjs';
import { noticesOf } from '../package/notices.mjs';
import { olderHomes, withoutIdleBanner } from '../package/older_homes.mjs';
import { deviceAssets } from './device_assets.mjs';
import { examplePhoto } from './example/photo.mjs';
import { fillTexts } from './fill_texts.mjs';
import { iconPng } from './icon_png.mjs';
import { withSourceLink } from './source_link.mjs';
import { TOWNS_NOTICE, townTable } from './towns.mjs';
import { LAND_FILE, worldLand } from './world_land.mjs';

const folder = parseArgs({ options: { detectors: { type: 'string' } } }).values.detectors;
const detectors = folder === undefined ? undefined : join(folder, 'page.js');
process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
await ensureCore();
const out = folder === undefined ? 'dist/assets/playground' : join(folder, 'assets/playground');
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

/** Addresses of the files needed without a network, by when they are kept; see src/playground/offline. */
const kept = { first: ['/'], later: [], rare: [] };
const KEPT = {
  detector: 'later',
  own: 'rare',
  readable: 'rare',
  layers: 'rare',
  example: 'rare',
  towns: 'rare',
};
/** The purpose of a workers' file, judging by its name. */
function groupOf(name) {
  if (/^(?:detector\.|ort-|own_detectors)/.test(name)) return 'own';
  if (/^(?:face|session|yunet)/.test(name)) return 'detector';
  if (name.startsWith('readable')) return 'readable';
  if (/^(?:libavif|predicted_layers)/.test(name)) return 'layers';
  return name.startsWith('lcms') ? 'colour' : 'worker';
}
/** Compressed kilobytes of each group of files. */
const weights = new Map();
function write(group, name, contents) {
  writeFileSync(`${out}/${name}`, contents);
  const bytes = name.endsWith('.gz') ? contents.length : gzipSync(contents, { level: 9 }).length;
  weights.set(group, (weights.get(group) ?? 0) + bytes / 1024);
  const address = `/playground/${name}`;
  kept[KEPT[group] ?? 'first'].push(address);
  return address;
}

/**
 * Inserts the style into the document, so that the first paint needs only one response. Its policy allows
 * only this style: src/api/routes/playground.ts reads the hash (CSP level 3, section 6.7.2).
 */
function withStyle(html, style) {
  const hash = createHash('sha256').update(style).digest('base64');
  // Detectors do not affect the style.
  if (folder === undefined) writeFileSync('dist/page_style.json', JSON.stringify({ hash: `sha256-${hash}` }));
  return html.replace('<link rel="stylesheet" href="./style.css">', () => `<style>${style}</style>`);
}

/** Names of the files that a script imports before it runs. @param {string} script its name */
function importedAtOnce({ outputs }, script) {
  const found = new Set();
  const add = (name) => {
    for (const { path, kind } of outputs[name].imports) {
      if (kind !== 'import-statement' || found.has(path)) continue;
      found.add(path);
      add(path);
    }
  };
  add(Object.keys(outputs).find((path) => basename(path) === script));
  return [...found].map((path) => basename(path));
}

const common = {
  bundle: true,
  minify: true,
  write: false,
  outdir: out,
  format: 'esm',
  ...olderHomes,
  legalComments: 'none',
  metafile: true,
  alias: {
    '#home': resolve('src/library/home_web.ts'),
    '#threads': resolve('src/playground/engine/page_threads.ts'),
    ...(detectors !== undefined && { '#page-detectors': detectors }),
  },
};

/** The map's land and the towns: separate files, loaded with the first place. */
const made = {
  'world-land': () => `export const path = ${JSON.stringify(worldLand())};`,
  towns: () => `export const table = ${JSON.stringify(townTable())};`,
};
const madeModules = {
  name: 'made',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^#(?:world-land|towns)$/ }, ({ path }) => ({
      path: path.slice(1),
      namespace: 'made',
    }));
    onLoad({ filter: /.*/, namespace: 'made' }, ({ path }) => ({ contents: made[path]() }));
  },
};

const page = await build({
  ...common,
  entryPoints: { page: 'src/playground/main.ts', style: 'src/playground/style.css' },
  splitting: true,
  chunkNames: '[name].[hash]',
  // The page uses the pipeline's size rules, which import the image core; the page itself does not need it.
  loader: { '.wasm': 'empty' },
  plugins: [madeModules],
});
const worker = await build({
  ...common,
  entryPoints: {
    worker:
      folder === undefined ? 'src/library/worker_thread_web.ts' : 'src/playground/engine/detector_thread.ts',
    picture_worker: 'src/playground/pictures/picture_worker.ts',
  },
  splitting: true,
  entryNames: '[name].[hash]',
  chunkNames: '[name].[hash]',
  plugins: [deviceAssets((name, contents) => write(groupOf(name), name, contents))],
});

for (const file of [...page.outputFiles, ...worker.outputFiles]) {
  if (file.path.endsWith('.js')) file.contents = Buffer.from(withoutIdleBanner(file.text));
}

const { repository } = JSON.parse(readFileSync('package.json', 'utf8'));
let privacy = withSourceLink(
  readFileSync('src/playground/privacy.html', 'utf8'),
  repository?.url ?? repository,
);
let document = fillTexts(readFileSync('src/playground/index.html', 'utf8'), en);
if (detectors !== undefined) {
  const offered = (await import(pathToFileURL(detectors))).detectors.map(
    // Kinds and names consist of lower-case letters, digits and hyphens.
    ({ manifest: { name, kinds } }) => [name, [...new Set(kinds.filter((kind) => kind !== null))]],
  );
  document = document.replace(
    '</head>',
    `<meta name="detectors" content='${JSON.stringify(offered)}'>\n</head>`,
  );
}
const atOnce = importedAtOnce(page.metafile, 'page.js');
for (const { path, contents } of page.outputFiles) {
  const name = basename(path);
  if (name === 'style.css') {
    const style = Buffer.from(contents).toString().trim();
    document = withStyle(document, style);
    privacy = withStyle(privacy, style);
    continue;
  }
  if (name !== 'page.js') {
    const isAtOnce = atOnce.includes(name);
    write(name.startsWith('towns') ? 'towns' : isAtOnce ? 'page' : 'on demand', name, contents);
    continue;
  }
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 12);
  // Preloads: imports are fetched together with the script, not after it.
  const preloads = atOnce.map((name) => `<link rel="modulepreload" href="/playground/${name}">\n`);
  document = document
    .replace('<script type="module"', `${preloads.join('')}$&`)
    .replace('./main.ts', write('page', `page.${hash}.js`, contents));
}
for (const { path, contents } of worker.outputFiles) {
  const name = basename(path);
  const address = write(groupOf(name), name, contents);
  document = document.replace(`./${name.split('.')[0]}.ts`, address);
}
const example = await examplePhoto();
const hashOfExample = createHash('sha256').update(example).digest('hex').slice(0, 12);
document = document.replace('./example.jpg', write('example', `example.${hashOfExample}.jpg`, example));
writeFileSync(`${out}/index.html`, document);
writeFileSync(`${out}/privacy.html`, privacy);
kept.first.push('/privacy');
writeFileSync(`${out}/licence.txt`, readFileSync('LICENSE'));
write('page', 'icon.svg', readFileSync('src/playground/icon.svg'));
for (const side of [180, 192, 512]) writeFileSync(`${out}/icon-${side}.png`, iconPng(side));
for (const [lang, texts] of Object.entries({ en, de })) {
  // The English one is also at the root, and named by the document; see src/playground/language_choice.ts.
  const name = lang === 'en' ? 'manifest.webmanifest' : `manifest.${lang}.webmanifest`;
  const manifest = JSON.parse(readFileSync('src/playground/manifest.json', 'utf8'), (_, value) =>
    typeof value === 'string'
      ? value.replace(/^\{\{(.+)\}\}$/, (__, key) => ({ ...texts, lang })[key])
      : value,
  );
  writeFileSync(`${out}/${name}`, JSON.stringify(manifest));
}

const version = createHash('sha256')
  .update(document + privacy)
  .update(JSON.stringify(kept))
  .digest('hex')
  .slice(0, 12);
const [serviceWorker] = (
  await build({
    ...common,
    entryPoints: ['src/playground/offline/service_worker.ts'],
    define: { PAGE_FILES: JSON.stringify({ version, ...kept }) },
  })
).outputFiles;
writeFileSync(`${out}/service_worker.js`, serviceWorker.contents);
const inputs = [page, worker].flatMap(({ metafile }) => Object.keys(metafile.inputs));
const notices = noticesOf([...inputs, LAND_FILE]);
writeFileSync(`${out}/notices.txt`, `${notices}\n${'-'.repeat(78)}\n\n${TOWNS_NOTICE}\n`);
const sizes = [...weights].map(([group, kilobytes]) => `${group} ${kilobytes.toFixed(1)} KB`);
console.log(`playground, compressed: ${sizes.join(', ')}`);
