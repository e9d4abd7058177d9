import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

/** Settings of the test deployment; nothing here opens anything outside the tests. */
const testSettings = {
  PUBLIC_ORIGIN: 'https://service.test',
  // Tests call as whom they like.
  TRUSTED_PROXY_HEADER: 'CF-Connecting-IP',
  ADMIN_TOKEN: 'test-admin-token',
  KEY_SIGNING_SECRET: 'test-signing-secret',
  CALLER_HASH_SECRET: 'test-caller-secret',
};

/**
 * Gives the Node project what the Workers bundler gives the Worker: .wasm as a compiled module, .onnx as
 * bytes.
 */
const binaryModules = {
  name: 'binary-modules',
  enforce: 'pre' as const,
  load(id: string) {
    const path = id.split('?')[0] ?? id;
    if (path.endsWith('.wasm')) {
      return `import { readFileSync } from 'node:fs';
export default new WebAssembly.Module(readFileSync(${JSON.stringify(path)}));`;
    }
    if (path.endsWith('.onnx')) {
      return `import { readFileSync } from 'node:fs';
const bytes = readFileSync(${JSON.stringify(path)});
export default bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);`;
    }
    return null;
  },
};

const limits = { testTimeout: 60_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    projects: [
      {
        // Everything the Worker runs, inside the real Workers runtime: test/**/*.test.ts
        plugins: [
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: { bindings: testSettings },
          }),
        ],
        test: {
          name: 'workers',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.node.test.ts', 'test/browser/**'],
          ...limits,
        },
      },
      {
        // What needs an independent oracle (sharp, exiftool) or the file system: test/**/*.node.test.ts
        plugins: [binaryModules],
        test: {
          name: 'node',
          environment: 'node',
          // Packages whose .wasm must pass through the plugin above instead of Node's own loader.
          server: { deps: { inline: [/@jsquash/, /lcms-wasm/, /onnxruntime-web/] } },
          include: ['test/**/*.node.test.ts'],
          exclude: ['test/browser/**'],
          ...limits,
        },
      },
      {
        // The playground in a real browser, against the local Worker: test/browser/*.test.ts; skipped where
        // there is no browser.
        plugins: [binaryModules],
        test: {
          name: 'browser',
          environment: 'node',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/browser/served.ts'],
          // One Worker and one browser at a time.
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
