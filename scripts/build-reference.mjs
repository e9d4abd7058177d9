// Puts the page at GET /docs together in dist/assets/docs: the page from src/reference, and Scalar's script
// from its package, so that nothing is loaded from elsewhere. Names of scripts carry a hash of their content.
// Run by npm's prepare step.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const out = 'dist/assets/docs';
const scripts = {
  scalar: 'node_modules/@scalar/api-reference/dist/browser/standalone.js',
  start: 'src/reference/start.js',
};

let page = readFileSync('src/reference/index.html', 'utf8');
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const [name, path] of Object.entries(scripts)) {
  const contents = readFileSync(path);
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 12);
  writeFileSync(`${out}/${name}.${hash}.js`, contents);
  page = page.replace(`./${name}.js`, `/docs/${name}.${hash}.js`);
}
writeFileSync(`${out}/index.html`, page);
