// Type-checks the image core's sources (wasm/assembly) by compiling them to nothing, but where the built core
// is of these very sources: then they have been compiled. Part of `npm run check`.
import { fileURLToPath } from 'node:url';
import { compileCore } from './compile.mjs';
import { isCoreStale } from './ensure.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const error = isCoreStale(root) && (await compileCore(root, '--noEmit'));
if (error) {
  console.error(error);
  process.exit(1);
}
