import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { build as buildByEsbuild } from 'esbuild';
import { build as buildByVite, createServer as viteServer } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import webpack from 'webpack';
import type * as Library from '../../src/library/index.ts';
import { sanitize } from '../../src/library/index.ts';
import type { createSanitizer } from '../../src/library/worker.ts';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { greenOverRed } from '../fixtures/green_over_red.ts';
import { type InstalledPackage, installPackage } from '../fixtures/installed_package.ts';
import { inputFormats, sampleFile } from '../fixtures/samples.ts';
import { browserPath, visit } from './chromium.ts';

/** What the page's script leaves for the test. */
interface LibraryPage {
  readonly library: typeof Library;
  readonly createSanitizer: typeof createSanitizer;
}

const SCRIPT = `import * as library from 'image-sanitizer';
import { createSanitizer } from 'image-sanitizer/worker';
Object.assign(globalThis, { library, createSanitizer });`;

/** Only files of the page's own, and no code from strings. */
const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:";

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
};

/** Serves a folder. */
async function serveFolder(folder: string): Promise<Server> {
  const server = createServer(async ({ url = '/' }, response) => {
    const name = url === '/' ? 'index.html' : url.slice(1).replace(/\?.*/, '');
    const bytes = await readFile(join(folder, name)).catch(() => undefined);
    response.writeHead(bytes ? 200 : 404, {
      'Content-Type': types[extname(name)] ?? 'application/octet-stream',
      'Content-Security-Policy': POLICY,
    });
    response.end(bytes);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

describe.skipIf(!browserPath)('the packed library in a page', () => {
  let installed: InstalledPackage;
  let folder: string;
  const servers: { close(): unknown }[] = [];
  beforeAll(async () => {
    installed = await installPackage();
    ({ folder } = installed);
    await writeFile(join(folder, 'main.js'), SCRIPT);
    await writeFile(
      join(folder, 'index.html'),
      '<!doctype html><link rel="icon" href="data:,"><script type="module" src="./main.js"></script>',
    );
  });
  afterAll(async () => {
    for (const server of servers) await server.close();
    await installed?.[Symbol.asyncDispose]();
  });

  /** Where a page is that was built by Vite, in a project without settings. */
  async function builtByVite(): Promise<string> {
    await buildByVite({ root: folder, configFile: false, logLevel: 'error' });
    const server = await serveFolder(join(folder, 'dist'));
    servers.push(server);
    return addressOf(server);
  }

  /** The same by esbuild, which leaves files and workers to whoever calls it. */
  async function builtByEsbuild(): Promise<string> {
    const out = join(folder, 'out');
    const common = { bundle: true, format: 'esm', splitting: true, outdir: out } as const;
    const at = join(installed.at, 'dist', 'package');
    await mkdir(out);
    const entryPoints = {
      main: join(folder, 'main.js'),
      worker_thread_web: join(at, 'worker_thread_web.js'),
    };
    await buildByEsbuild({ ...common, entryPoints, logLevel: 'error', conditions: ['browser'] });
    for (const name of await readdir(at)) {
      if (/\.(?:wasm|onnx)$/.test(name)) await cp(join(at, name), join(out, name));
    }
    await cp(join(folder, 'index.html'), join(out, 'index.html'));
    const server = await serveFolder(out);
    servers.push(server);
    return addressOf(server);
  }

  /** The same by webpack, in a project without settings: a classic script. */
  async function builtByWebpack(): Promise<string> {
    const out = join(folder, 'packed');
    const compiler = webpack({
      mode: 'production',
      context: folder,
      entry: './main.js',
      output: { path: out },
      // Its advice on the size of scripts and files.
      performance: { hints: false },
    })!;
    const stats = await new Promise<webpack.Stats>((done, failed) =>
      compiler.run((error, stats) => (stats ? done(stats) : failed(error))),
    );
    await new Promise((closed) => compiler.close(closed));
    expect(stats.toString({ all: false, errors: true, warnings: true })).toBe('');
    await writeFile(
      join(out, 'index.html'),
      '<!doctype html><link rel="icon" href="data:,"><script defer src="main.js"></script>',
    );
    const server = await serveFolder(out);
    servers.push(server);
    return addressOf(server);
  }

  /** Where Vite serves the sources themselves. */
  async function servedByVite(): Promise<string> {
    const server = await viteServer({
      root: folder,
      configFile: false,
      logLevel: 'error',
      optimizeDeps: { exclude: ['image-sanitizer'] },
      server: { host: '127.0.0.1', port: 0 },
    });
    servers.push(server);
    await server.listen();
    return server.resolvedUrls!.local[0]!;
  }

  it.each([
    ['built by Vite', builtByVite],
    ['built by esbuild', builtByEsbuild],
    ['built by webpack', builtByWebpack],
    ["from Vite's server", servedByVite],
  ])('%s gives the bytes of Node, on its own and on threads, and asks for nothing else', async (_, start) => {
    const address = await start();
    await using visitor = await visit();
    const { page, context, consoleOutput } = visitor;
    const asked: string[] = [];
    context.on('request', (request) => asked.push(`${request.method()} ${request.url()}`));
    await page.goto(address);
    await page.waitForFunction(() => 'createSanitizer' in globalThis);

    /** Hashes of what the page makes of a file: on its main thread, and on a thread of a pool. */
    const hashes = (image: Uint8Array, ops: object) =>
      page.evaluate(
        async ({ base64, ops }) => {
          const { library, createSanitizer } = globalThis as unknown as LibraryPage;
          const file = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
          const hashOf = async (bytes: Uint8Array<ArrayBuffer>) =>
            [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))]
              .map((byte) => byte.toString(16).padStart(2, '0'))
              .join('');
          const pool = createSanitizer({ workers: 1 });
          const results = [await library.sanitize(file, ops), await pool.sanitize(file, ops)];
          pool.close();
          return Promise.all(results.map(({ bytes }) => hashOf(bytes)));
        },
        { base64: Buffer.from(image).toString('base64'), ops },
      );
    const expected = async (image: Uint8Array, ops: object) =>
      createHash('sha256')
        .update((await sanitize(image, ops)).bytes)
        .digest('hex');

    const picture = drawPeople(320, 240, [{ x: 100, y: 50, w: 80, h: 100 }]);
    const noFaces = { pixelate: { faces: false }, output: { format: 'png' } };
    for (const format of inputFormats) {
      const image = await sampleFile(format, picture);
      const hash = await expected(image, noFaces);
      expect([format, ...(await hashes(image, noFaces))]).toEqual([format, hash, hash]);
    }
    expect(asked.filter((url) => /\.onnx|libavif/.test(url))).toEqual([]);
    const layers = greenOverRed();
    const layersHash = await expected(layers, noFaces);
    expect(await hashes(layers, noFaces)).toEqual([layersHash, layersHash]);
    const photo = await sampleFile('jpeg', picture);
    const hash = await expected(photo, {});
    expect(await hashes(photo, {})).toEqual([hash, hash]);
    expect(asked.filter((url) => /\.onnx/.test(url)).length).toBeGreaterThan(0);
    expect(asked.filter((url) => !url.startsWith(`GET ${address}`) && !url.startsWith('GET data:'))).toEqual(
      [],
    );
    // Vite's client tells that it has connected.
    expect(consoleOutput.filter((line) => !line.includes('[vite] connect'))).toEqual([]);
  });

  it('tells progress and ends by a signal, on a thread', async () => {
    await using visitor = await visit();
    const { page } = visitor;
    await page.goto(await builtByVite());
    await page.waitForFunction(() => 'createSanitizer' in globalThis);
    const base64 = Buffer.from(await sampleFile('png', drawPeople(1600, 1200))).toString('base64');
    const told = await page.evaluate(async (base64) => {
      const { createSanitizer, library } = globalThis as unknown as LibraryPage;
      const file = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const pool = createSanitizer({ workers: 2 });
      const controller = new AbortController();
      const shares: number[] = [];
      const onProgress = ({ share }: { share: number }) => {
        shares.push(share);
        if (share > 0) controller.abort(new Error('enough'));
      };
      const ops = { pixelate: { faces: false } };
      const ended = await pool
        .sanitize(file, ops, { signal: controller.signal, onProgress })
        .catch((error: Error) => error.message);
      const { width } = (await pool.inspect(new Blob([file]))) as { width: number };
      const refused = await pool.sanitize(new Uint8Array(9)).catch((error) => error.code);
      pool.close();
      const { ImageError } = library;
      return { ended, width, refused, told: shares.length > 0, isClass: typeof ImageError === 'function' };
    }, base64);
    expect(told).toEqual({
      ended: 'enough',
      width: 1600,
      refused: 'unprocessable_image',
      told: true,
      isClass: true,
    });
  });
});
