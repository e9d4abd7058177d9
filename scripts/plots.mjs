// `npm run plots`: draws the tables of docs/measurements/benchmarks.md into docs/plots.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { plotsOf } from './plots/plots.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
mkdirSync('docs/plots', { recursive: true });
for (const [name, svg] of Object.entries(plotsOf(readFileSync('docs/measurements/benchmarks.md', 'utf8')))) {
  writeFileSync(`docs/plots/${name}`, svg);
}
