import { describe, expect, test } from 'vitest';
import { bundledWorks, noticesText } from '../../scripts/serve/notices.mjs';

const hash = '0123456789abcdef0123456789abcdef01234567';

describe('bundledWorks', () => {
  test('finds packages in a source map, the innermost of nested ones, and those of binaries', () => {
    const sources = [
      '../../src/index.ts',
      '../../node_modules/hono/dist/hono.js',
      '../../node_modules/@fastify/busboy/lib/main.js',
      '../../node_modules/outer/node_modules/long/index.js',
    ];
    const files = ['index.js', `${hash}-core.wasm`, `${hash}-lcms.wasm`, `${hash}-libavif.wasm`];
    const works = bundledWorks(sources, files);
    for (const name of ['hono', '@fastify/busboy', 'long', 'lcms-wasm', 'Little CMS', 'libavif', 'libaom'])
      expect(works).toContain(name);
    expect(works).not.toContain('src');
    expect(works).not.toContain('outer');
  });

  test('names the runtime of detectors, but not whose models an operator has', () => {
    const files = [`${hash}-ort-wasm-simd-threaded.wasm`, `${hash}-detector.plates.onnx`];
    const works = bundledWorks(['node_modules/onnxruntime-web/dist/node_modules/common/index.js'], files);
    expect(works).toContain('onnxruntime-web');
    expect(works).toContain('onnxruntime-common');
    expect(works.filter((name) => name.includes('plates'))).toEqual([]);
    expect(noticesText(works, 'node_modules')).toContain('Microsoft');
  });

  test('stops at a binary of unknown origin', () => {
    expect(() => bundledWorks([], [`${hash}-other.wasm`])).toThrow('other.wasm');
  });
});

test('the towns of the page were missing: whoever passes the bundle on must name their source', () => {
  const text = noticesText(bundledWorks([], []), 'node_modules');
  expect(text).toContain('\nGeoNames\n');
  expect(text).toContain('https://www.geonames.org/, licensed under CC BY 4.0');
});

describe('noticesText', () => {
  test('has the licence of every work with its holder', () => {
    const mapped = ['hono', 'zod', '@fastify/busboy', '@modelcontextprotocol/server'];
    const works = bundledWorks(
      mapped.map((name) => `node_modules/${name}/index.js`),
      ['libavif.wasm'],
    );
    const text = noticesText(works, 'node_modules');
    for (const name of works) expect(text).toContain(`\n${name}`);
    for (const holder of ['Marti Maria Saguer', 'Yusuke Wada', 'Matt DesLauriers', 'Alliance for Open Media'])
      expect(text).toContain(holder);
    expect(text.match(/copyright/gi)!.length).toBeGreaterThanOrEqual(works.length);
  });

  test('stops at a work without a licence', () => {
    expect(() => noticesText(['nobody-has-heard-of-it'], 'node_modules')).toThrow('nobody-has-heard-of-it');
  });
});
