// Builds dist/core.wasm and its types from wasm/assembly (AssemblyScript). Run by npm's prepare step and `npm run build:core`.
import { mkdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
mkdirSync('dist', { recursive: true });

const { error, stderr } = await asc.main([
  'wasm/assembly/index.ts',
  '--outFile',
  'dist/core.wasm',
  '--optimizeLevel',
  '3',
  '--shrinkLevel',
  '0',
  '--noAssert',
  '--runtime',
  'stub',
  '--use',
  'abort=',
  '--enable',
  'simd',
  // The host gives each instance its memory (src/core/memory_pool.ts), so that memories can be used again.
  '--importMemory',
  '--initialMemory',
  '2',
]);
if (error) {
  console.error(String(stderr));
  console.error(error.message);
  process.exit(1);
}
console.log(`core.wasm: ${(statSync('dist/core.wasm').size / 1024).toFixed(1)} KB`);
