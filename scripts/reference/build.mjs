// Puts the page at GET /docs together in dist/assets/docs: the page from src/reference with an overview of
// the description, its style and script, and Scalar's script from its package, so that nothing is loaded
// from elsewhere. Names carry a hash of the content. Run by npm's prepare step.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { overviewOf } from './overview.mjs';

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
const out = 'dist/assets/docs';

const [style] = (
  await build({ entryPoints: ['src/reference/style.css'], bundle: true, minify: true, write: false })
).outputFiles;
const [source] = (
  await build({
    entryPoints: ['src/api/openapi/document.ts'],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  })
).outputFiles;
const { openApiDocument } = await import(
  `data:text/javascript;base64,${Buffer.from(source.contents).toString('base64')}`
);

const files = {
  'style.css': style.contents,
  'start.js': readFileSync('src/reference/start.js'),
  'scalar.js': readFileSync('node_modules/@scalar/api-reference/dist/browser/standalone.js'),
};
let page = readFileSync('src/reference/index.html', 'utf8').replace('<!-- overview -->', () =>
  overviewOf(openApiDocument('')),
);
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const [file, contents] of Object.entries(files)) {
  const [name, extension] = file.split('.');
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 12);
  writeFileSync(`${out}/${name}.${hash}.${extension}`, contents);
  page = page.replace(`./${file}`, `/docs/${name}.${hash}.${extension}`);
}
writeFileSync(`${out}/index.html`, page);
