// `npm run plots`: draws the tables of docs/measurements/benchmarks.md into docs/plots.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writePlots } from './plots.mjs';

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
writePlots(readFileSync('docs/measurements/benchmarks.md', 'utf8'), 'docs/plots');
