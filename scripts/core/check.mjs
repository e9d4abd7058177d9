// Type-checks the image core's sources (wasm/assembly), and makes the types that its host reads, by building
// it where the built core is not of these very sources. Part of `npm run check`.
import { ensureCore } from './ensure.mjs';

try {
  await ensureCore();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
