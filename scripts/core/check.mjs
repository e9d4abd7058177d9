// Type-checks the image core's sources (wasm/assembly) and generates the types for its host, by building the
// core if it is older than its sources. Part of `npm run check`.
import { ensureCore } from './ensure.mjs';

try {
  await ensureCore();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
