// Type-checks the image core's sources (wasm/assembly) by compiling them to nothing. Part of `npm run check`.
import { fileURLToPath } from 'node:url';
import { compileCore } from './compile.mjs';

const error = await compileCore(fileURLToPath(new URL('../..', import.meta.url)), '--noEmit');
if (error) {
  console.error(error);
  process.exit(1);
}
