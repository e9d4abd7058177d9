// Writes what is packed and published into dist/npm: the built package, the documents with working links, and
// package.json without what only a checkout needs. Tests pass other folders.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { linkFromPackage } from './links.mjs';
import { fileAddress } from './repository.mjs';

// npm warns about a `prepare` script, although it would not run it.
const OF_THE_CHECKOUT = [
  'private',
  'scripts',
  'devDependencies',
  'allowScripts',
  'scarfSettings',
  'cloudflare',
];
const BUILT = 'dist/package';

// npm runs this in the project's folder.
const [built = BUILT, out = 'dist/npm'] = process.argv.slice(2);
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const published = Object.entries(manifest).filter(([name]) => !OF_THE_CHECKOUT.includes(name));
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'package.json'), `${JSON.stringify(Object.fromEntries(published), null, 2)}\n`);
for (const path of manifest.files) {
  const to = join(out, path);
  mkdirSync(dirname(to), { recursive: true });
  if (path.endsWith('.md')) {
    const text = readFileSync(path, 'utf8');
    const addressOf = (target) => fileAddress(manifest.repository?.url, target);
    writeFileSync(to, linkFromPackage(text, path, manifest.files, addressOf));
  } else cpSync(path === BUILT ? built : path, to, { recursive: true });
}
