import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const LOADERS = fileURLToPath(new URL('../../src/playground/engine/assets.ts', import.meta.url));

/** The two parts of the face detector, which are loaded together. */
const DETECTOR = { runtime: 'ort-wasm-simd-threaded.wasm', weights: 'face_detector.onnx' };

const brotli = (raw, quality) =>
  brotliCompressSync(raw, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: raw.length,
    },
  });

/**
 * Modules and weights as files of the page that its workers fetch, compressed in both ways: see
 * src/playground/engine/assets.ts.
 * @param quality of Brotli, 0 to 11: 9 takes 3 s of CPU, 11 40 s for an eighth less
 * @param write is given the name of each file, with a hash in it, and its contents by the end of their
 * names: `gz` and `br`; returns the address of the first
 * @returns a plugin of esbuild
 */
export const deviceAssets = (quality, write) => ({
  name: 'device-assets',
  setup({ onResolve, onLoad }) {
    const known = new Map();
    const assetOf = (path) => {
      const raw = readFileSync(path);
      const [gz, br] = [gzipSync(raw, { level: 9 }), brotli(raw, quality)];
      const hash = createHash('sha256').update(gz).digest('hex').slice(0, 12);
      const [, stem, extension] = /^(.+)\.(\w+)$/.exec(basename(path));
      const address = write(`${stem}.${hash}.${extension}`, { gz, br });
      return JSON.stringify({ address, raw: raw.length, gzip: gz.length, brotli: br.length });
    };
    /** Each file is compressed once, although two builds may ask. */
    const asset = (path) => known.get(path) ?? known.set(path, assetOf(path)).get(path);
    const resolved = (path, resolveDir) =>
      fileURLToPath(
        path.startsWith('.') ? new URL(path, `file://${resolveDir}/`).href : import.meta.resolve(path),
      );
    const loaders = JSON.stringify(LOADERS);
    const module = (contents) => ({ contents, resolveDir: process.cwd() });

    onResolve({ filter: /\.(?:wasm|onnx)$/ }, ({ path, resolveDir }) => ({
      path: resolved(path, resolveDir),
      namespace: 'asset',
    }));
    onResolve({ filter: /^detector-parts$/ }, ({ path }) => ({ path, namespace: 'detector' }));
    onLoad({ filter: /.*/, namespace: 'asset' }, ({ path }) => {
      const part = Object.keys(DETECTOR).find((name) => DETECTOR[name] === basename(path));
      if (part) {
        return module(`import { parts } from 'detector-parts';\nexport default await parts.${part};\n`);
      }
      return module(
        `import { compileAsset } from ${loaders};\nexport default await compileAsset(${asset(path)});\n`,
      );
    });
    onLoad({ filter: /.*/, namespace: 'detector' }, () => {
      const runtime = asset(resolved(`onnxruntime-web/${DETECTOR.runtime}`));
      const weights = asset(fileURLToPath(new URL(`../../models/${DETECTOR.weights}`, import.meta.url)));
      return module(
        `import { loadDetector } from ${loaders};
export const parts = loadDetector(${runtime}, ${weights});
`,
      );
    });
  },
});
