import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

/** Bytes that scanner, values and sentences may take in a page, compressed. */
const MOST = 45 * 1024;

it('scanner, values and sentences are small enough for a page, and need nothing of Node', async () => {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: `export { scan } from './src/metadata/scan.ts';
        export { Cursor } from './src/metadata/cursor.ts';
        export { Payloads } from './src/metadata/payloads.ts';
        export { readValues } from './src/metadata/values/read_values.ts';
        export { sentences } from './src/metadata/values/sentences.ts';`,
      resolveDir: process.cwd(),
    },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2024'],
    // the image core inflates texts of PNG; a page that has it has it once
    external: ['*.wasm'],
  });
  const inputs = Object.keys(metafile.inputs);
  expect(inputs).toContain('src/metadata/values/rdf.ts');
  expect(inputs.filter((path) => !/^(?:src\/(?:metadata|core|faults)|wasm\/|<stdin>)/.test(path))).toEqual(
    [],
  );
  const compressed = gzipSync(outputFiles[0]!.contents, { level: 9 }).length;
  expect(compressed).toBeGreaterThan(20_000);
  expect(compressed).toBeLessThan(MOST);
});
