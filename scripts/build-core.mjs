// Builds dist/core.wasm from wasm/assembly (AssemblyScript). Run by npm's prepare step and `npm run
// build:core`.
import { mkdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileCore } from './compile_core.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
mkdirSync('dist', { recursive: true });

const error = await compileCore('--outFile', 'dist/core.wasm');
if (error) {
  console.error(error);
  process.exit(1);
}
console.log(`core.wasm: ${(statSync('dist/core.wasm').size / 1024).toFixed(1)} KB`);
