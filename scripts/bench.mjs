// `npm run bench`: every benchmark in test/bench, one after the other; `npm run bench -- jpeg` only those
// whose name has "jpeg".
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ensureCore } from './ensure_core.mjs';

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
  const { status } = spawnSync(process.execPath, ['--no-warnings', `test/bench/${file}`], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
