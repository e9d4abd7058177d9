import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { bundleForBrowsers } from './bundle.ts';

/** Bytes that scanner, values and sentences may take in a page, compressed. */
const MOST = 50 * 1024;

it('scanner, values and sentences are small enough for a page, and need nothing else', async () => {
  // the image core inflates texts of PNG; a page that has it has it once
  const { outputFiles, metafile } = await bundleForBrowsers(false);
  const inputs = Object.keys(metafile.inputs);
  expect(inputs).toContain('src/metadata/values/rdf.ts');
  expect(
    inputs.filter((path) => !/^(?:src\/(?:metadata|core|faults|vocabulary)|wasm\/|<stdin>)/.test(path)),
  ).toEqual([]);
  const compressed = gzipSync(outputFiles[0]!.contents, { level: 9 }).length;
  expect(compressed).toBeGreaterThan(20_000);
  expect(compressed).toBeLessThan(MOST);
});
