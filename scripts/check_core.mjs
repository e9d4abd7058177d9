// Type-checks the image core's sources (wasm/assembly) by compiling them to nothing. Part of `npm run check`.
import { fileURLToPath } from 'node:url';
import { compileCore } from './compile_core.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const error = await compileCore('--noEmit');
if (error) {
  console.error(error);
  process.exit(1);
}
