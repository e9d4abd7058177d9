// Builds the page at GET / from src/playground into dist/assets/playground: one script, one style sheet, one
// document, the names of the first two carrying a hash of their content. Run by npm's prepare step and `npm
// run build:playground`.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const out = 'dist/assets/playground';

const { outputFiles } = await build({
  entryPoints: { page: 'src/playground/main.ts', style: 'src/playground/style.css' },
  bundle: true,
  minify: true,
  write: false,
  outdir: out,
  format: 'esm',
  target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
  legalComments: 'none',
});

let page = readFileSync('src/playground/index.html', 'utf8');
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
let compressed = 0;
for (const { path, contents } of outputFiles) {
  const [, name, extension] = /([^/\\]+)\.(js|css)$/.exec(path);
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 12);
  const address = `/playground/${name}.${hash}.${extension}`;
  writeFileSync(`dist/assets${address}`, contents);
  page = page.replace(`./${name === 'page' ? 'main.ts' : 'style.css'}`, address);
  compressed += gzipSync(contents, { level: 9 }).length;
}
writeFileSync(`${out}/index.html`, page);
writeFileSync(`${out}/icon.svg`, readFileSync('src/playground/icon.svg'));
console.log(`playground: ${(compressed / 1024).toFixed(1)} KB of script and style, compressed`);
