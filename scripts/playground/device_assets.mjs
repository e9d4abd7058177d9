import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const LOADERS = fileURLToPath(new URL('../../src/playground/engine/assets.ts', import.meta.url));

/**
 * Provides modules and weights as compressed files that the page's workers fetch: see
 * src/playground/engine/assets.ts.
 * @param write called with each file's name, which contains a hash, and its content; returns its address
 * @returns a plugin of esbuild
 */
export const deviceAssets = (write) => ({
  name: 'device-assets',
  setup({ onResolve, onLoad }) {
    const known = new Map();
    const assetOf = (path) => {
      const bytes = gzipSync(readFileSync(path), { level: 9 });
      const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
      const [, stem, extension] = /^(.+)\.(\w+)$/.exec(basename(path));
      return JSON.stringify({
        address: write(`${stem}.${hash}.${extension}.gz`, bytes),
        bytes: bytes.length,
      });
    };
    /** Compresses each file only once, although two builds may ask for it. */
    const asset = (path) => known.get(path) ?? known.set(path, assetOf(path)).get(path);
    const resolved = (path, resolveDir) =>
      fileURLToPath(
        path.startsWith('.') ? new URL(path, `file://${resolveDir}/`).href : import.meta.resolve(path),
      );
    const loaders = JSON.stringify(LOADERS);

    onResolve({ filter: /\.(?:wasm|onnx)$/ }, ({ path, resolveDir }) => ({
      path: resolved(path, resolveDir),
      namespace: 'asset',
    }));
    onLoad({ filter: /.*/, namespace: 'asset' }, ({ path }) => {
      const load = path.endsWith('.wasm') ? 'compileAsset' : 'loadDetector';
      return {
        contents: `import { ${load} } from ${loaders};\nexport default await ${load}(${asset(path)});\n`,
        resolveDir: process.cwd(),
      };
    });
  },
});
