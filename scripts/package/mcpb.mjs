// `npm run mcpb`: builds a bundle for assistants that install local servers from one file (.mcpb), from the
// files packed for npm. deploy/mcpb.json is its manifest without the version. Tests pass other folders.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { makeZip } from 'client-zip';

/** Files that the program does not need: types, and builds for pages and bundlers. */
const LEFT_OUT =
  /^dist\/package\/(?:types\/|standalone\.js|upload\.js|client\.js|\w+_web\.js)|^docs\/pictures\//;
/** A fixed time, so that the same files always give the same bytes: the earliest that a ZIP can state. */
const WHEN = new Date(1980, 0, 1);

// npm runs this in the project's folder.
const [packed = 'dist/npm', out = 'dist'] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8'));
const manifest = { ...JSON.parse(readFileSync('deploy/mcpb.json', 'utf8')), version };
const files = readdirSync(packed, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ path, name: relative(packed, path).replaceAll('\\', '/') }))
  .filter(({ name }) => !LEFT_OUT.test(name))
  .sort((a, b) => (a.name < b.name ? -1 : 1));
const entries = [
  { name: 'manifest.json', input: `${JSON.stringify(manifest, null, 2)}\n`, lastModified: WHEN },
  ...files.map(({ path, name }) => ({ name, input: readFileSync(path), lastModified: WHEN })),
];
mkdirSync(out, { recursive: true });
const bundle = join(out, `image-sanitizer-${version}.mcpb`);
writeFileSync(bundle, Buffer.from(await new Response(makeZip(entries)).arrayBuffer()));
console.log(bundle);
