// Builds dist/core.wasm from wasm/assembly (AssemblyScript). Run by npm's prepare step and `npm run
// build:core`.
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildCore } from './ensure.mjs';

try {
  await buildCore();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
const { size } = statSync(fileURLToPath(new URL('../../dist/core.wasm', import.meta.url)));
console.log(`core.wasm: ${(size / 1024).toFixed(1)} KB`);
