// `npm run bench`: runs every benchmark in test/bench, one after the other; `npm run bench -- jpeg` only
// those with "jpeg" in their names. Draws their results into .bench/plots, if there is a plot for them.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ensureCore } from './core/ensure.mjs';
import { writePlots } from './plots/plots.mjs';

/** Runs a program in this project's runtime. @returns its exit status and its output, which is also shown */
const printed = (file) =>
  new Promise((resolve, reject) => {
    const program = spawn(process.execPath, ['--no-warnings', file], {
      stdio: ['inherit', 'pipe', 'inherit'],
    });
    let text = '';
    program.stdout.setEncoding('utf8').on('data', (part) => {
      text += part;
      process.stdout.write(part);
    });
    program.on('error', reject).on('close', (status) => resolve({ status, text }));
  });

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
await ensureCore();
const wanted = process.argv.slice(2);
console.log(
  `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`,
);
for (const file of readdirSync('test/bench').sort()) {
  if (!/\.bench\.(ts|mjs)$/.test(file) || (wanted.length > 0 && !wanted.some((part) => file.includes(part))))
    continue;
  console.log(`\n== ${file}`);
  const { status, text } = await printed(`test/bench/${file}`);
  if (status !== 0) process.exitCode = 1;
  for (const path of writePlots(text, '.bench/plots')) console.log(`drawn: ${path}`);
}
