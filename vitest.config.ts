import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/setup/longest_first.ts';

// Miniflare starts the runtime by this path. A run that is killed would leave it behind.
if (process.platform === 'linux') {
  process.env.WORKERD_PROGRAM ??= createRequire(import.meta.url)('workerd').default;
  process.env.MINIFLARE_WORKERD_PATH ??= resolve('test/setup/workerd');
}

/** Settings of the test deployment; nothing here opens anything outside the tests. */
const testSettings = {
  PUBLIC_ORIGIN: 'https://service.test',
  // Tests call as whom they like.
  TRUSTED_PROXY_HEADER: 'CF-Connecting-IP',
  ADMIN_TOKEN: 'test-admin-token-of-22-or-more',
  KEY_SIGNING_SECRET: 'test-signing-secret-of-22-or-more',
  CALLER_HASH_SECRET: 'test-caller-secret-of-22-or-more',
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

/** Only what hangs takes so long, however busy the machine is. */
const limits = { testTimeout: 60_000, hookTimeout: 60_000 };
const slowLimits = { testTimeout: 300_000, hookTimeout: 120_000 };

/** The core that tests run on is as new as its sources. */
const currentCore = 'test/setup/current_core.ts';

/**
 * Inside the real Workers runtime, with everything the Worker has. A runtime of its own for every file costs
 * two seconds of a processor each, so files of the quick lane share one.
 */
const inWorkerd = () =>
  cloudflareTest({
    wrangler: { configPath: './wrangler.toml' },
    miniflare: { bindings: testSettings },
  });

/** In Node: what needs an independent oracle (sharp, exiftool) or the file system. */
const inNode = {
  environment: 'node' as const,
  alias: {
    '#home': resolve('src/library/home_node.ts'),
    '#threads': resolve('src/library/threads_node.ts'),
  },
  // Packages whose .wasm must pass through the plugin above instead of Node's own loader.
  server: { deps: { inline: [/@jsquash/, /lcms-wasm/, /onnxruntime-(web|common)/] } },
};

/** Files that call the Worker as a whole, or its counting object. */
const withService = ['app', '{api,client,contract,metering}/**/*'].map((name) => `test/${name}.test.ts`);

const SLOW = 'test/**/*.slow.*';

/**
 * Files that start what lies in `dist/server`, or make it anew, and one that sends the development server as
 * much as it takes: one at a time, when nothing else runs.
 */
const ALONE = [
  ...[
    'backup',
    'connections',
    'full_disk',
    'load',
    'own_detectors',
    'own_server',
    'processes',
    'proxy',
    'retention',
    'several_machines',
    'startup',
  ].map((name) => `test/served/${name}.slow.node.test.ts`),
  'test/browser/own_detectors.test.ts',
  'test/api/refusals.slow.node.test.ts',
];

/** It needs no shared Worker. */
const APART = 'test/browser/library_in_page.test.ts';

/** Packages of others. */
const TOOLCHAINS = 'test/toolchains/**';

/** Two lanes, see test/README.md: `npm test` runs the first three projects, `npm run test:slow` the others. */
export default defineConfig({
  test: {
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './test/setup/closing_lines.ts'],
    projects: [
      {
        plugins: [inWorkerd()],
        test: {
          name: 'workers',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.node.test.ts', SLOW, 'test/browser/**', TOOLCHAINS, ...withService],
          globalSetup: [currentCore],
          isolate: false,
          setupFiles: ['test/setup/fresh_modules.ts'],
          ...limits,
        },
      },
      {
        // The whole Worker takes a second to load: once, and files share its modules.
        plugins: [inWorkerd()],
        test: {
          name: 'service',
          include: withService,
          exclude: ['test/**/*.node.test.ts', SLOW, TOOLCHAINS],
          globalSetup: [currentCore],
          isolate: false,
          setupFiles: ['test/setup/empty_storage.ts'],
          ...limits,
        },
      },
      {
        // A process of its own for every file costs a third of the lane's time.
        plugins: [binaryModules],
        test: {
          name: 'node',
          include: ['test/**/*.node.test.ts'],
          exclude: [SLOW, TOOLCHAINS],
          globalSetup: [currentCore],
          isolate: false,
          setupFiles: ['test/setup/fresh_modules.ts'],
          ...inNode,
          ...limits,
        },
      },
      {
        plugins: [inWorkerd()],
        test: {
          name: 'slow-workers',
          include: ['test/**/*.slow.test.ts'],
          exclude: [TOOLCHAINS],
          globalSetup: [currentCore],
          ...slowLimits,
        },
      },
      {
        plugins: [binaryModules],
        test: {
          name: 'slow-node',
          include: ['test/**/*.slow.node.test.ts', APART],
          exclude: ['test/served/**', ...ALONE, TOOLCHAINS],
          globalSetup: [currentCore, 'test/setup/run_folder.ts'],
          ...inNode,
          ...slowLimits,
        },
      },
      {
        // The Worker as it is deployed, over HTTP and in a real browser; skipped where there is no browser.
        plugins: [binaryModules],
        test: {
          name: 'slow-served',
          include: ['test/served/**/*.test.ts', 'test/browser/**/*.test.ts'],
          exclude: [...ALONE, APART],
          globalSetup: [currentCore, 'test/setup/shared_worker.ts', 'test/setup/run_folder.ts'],
          ...inNode,
          sequence: { groupOrder: 1 },
          ...slowLimits,
        },
      },
      {
        // Servers of one's own, which share dist/server.
        plugins: [binaryModules],
        test: {
          name: 'slow-alone',
          include: ALONE,
          globalSetup: [currentCore, 'test/setup/run_folder.ts'],
          ...inNode,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
          ...slowLimits,
        },
      },
    ],
  },
});
