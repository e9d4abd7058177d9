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
import { inToolchains, toolchains } from '../fixtures/toolchains.ts';
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
async function serveFolder(folder: string, policy: string): Promise<Server> {
  const server = createServer(async ({ url = '/' }, response) => {
    const name = url === '/' ? 'index.html' : url.slice(1).replace(/\?.*/, '');
    const bytes = await readFile(join(folder, name)).catch(() => undefined);
    response.writeHead(bytes ? 200 : 404, {
      'Content-Type': types[extname(name)] ?? 'application/octet-stream',
      'Content-Security-Policy': policy,
      // As a CDN does.
      'Access-Control-Allow-Origin': '*',
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

  /** Where a folder is served. */
  async function serve(out: string, policy = POLICY): Promise<string> {
    const server = await serveFolder(out, policy);
    servers.push(server);
    return addressOf(server);
  }

  /** Where a page is that was built by Vite, in a project without settings. */
  async function builtByVite(): Promise<string> {
    await buildByVite({ root: folder, configFile: false, logLevel: 'error' });
    return serve(join(folder, 'dist'));
  }

  /** The same by an older Vite. */
  const builtByOlder = (name: string) => async () => {
    const { build } = await import(inToolchains(`${name}/dist/node/index.js`));
    const outDir = join(folder, name);
    await build({ root: folder, configFile: false, logLevel: 'error', build: { outDir } });
    return serve(outDir);
  };

  /** A page without a bundler, whose import map says where the package lies. */
  async function byImportMap(): Promise<string> {
    const out = join(folder, 'plain');
    await cp(join(installed.at, 'dist', 'package'), join(out, 'package'), { recursive: true });
    await cp(join(folder, 'main.js'), join(out, 'main.js'));
    const [map] = /<script type="importmap">.*?<\/script>/s.exec(await readFile('docs/library.md', 'utf8'))!;
    const script = '<script type="module" src="./main.js"></script>';
    await writeFile(join(out, 'index.html'), `<!doctype html><link rel="icon" href="data:,">${map}${script}`);
    const hash = createHash('sha256')
      .update(/>(.*)</s.exec(map)![1]!)
      .digest('base64');
    return serve(out, POLICY.replace("script-src 'self'", `script-src 'self' 'sha256-${hash}'`));
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
    return serve(out);
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
    return serve(out);
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

  const pages: readonly (readonly [name: string, start: () => Promise<string>])[] = [
    ['built by Vite', builtByVite],
    ...toolchains('vite-').map(
      ({ name, version }) => [`built by Vite ${version}`, builtByOlder(name)] as const,
    ),
    ['without a bundler, by an import map', byImportMap],
    ['built by esbuild', builtByEsbuild],
    ['built by webpack', builtByWebpack],
    ["from Vite's server", servedByVite],
  ];
  it.each(pages)(
    '%s gives the bytes of Node, on its own and on threads, and asks for nothing else',
    async (_, start) => {
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
      expect(
        asked.filter((url) => !url.startsWith(`GET ${address}`) && !url.startsWith('GET data:')),
      ).toEqual([]);
      // Vite's client tells that it has connected.
      expect(consoleOutput.filter((line) => !line.includes('[vite] connect'))).toEqual([]);
    },
  );

  it('cleans without a bundler, by the build in one file from another origin', async () => {
    const from = await serve(join(installed.at, 'dist', 'package'));
    const out = join(folder, 'one');
    await mkdir(out);
    const script = `import * as library from '${from}standalone.js'; Object.assign(globalThis, { library });`;
    await writeFile(join(out, 'main.js'), script);
    await cp(join(folder, 'index.html'), join(out, 'index.html'));
    const sources = `'self' ${from} 'wasm-unsafe-eval'`;
    const policy = `default-src 'self'; script-src ${sources}; worker-src blob:; img-src 'self' data:`;
    await using visitor = await visit();
    const { page, requests, consoleOutput } = visitor;
    await page.goto(await serve(out, policy));
    await page.waitForFunction(() => 'library' in globalThis);
    const photo = await sampleFile('jpeg', drawPeople(320, 240, [{ x: 100, y: 50, w: 80, h: 100 }]));
    const images = await page.evaluate(async (base64) => {
      const { library } = globalThis as unknown as { library: typeof Library & LibraryPage };
      const file = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const pool = library.createSanitizer({ workers: 1 });
      const results = [await library.sanitize(file), await pool.sanitize(file)];
      pool.close();
      return results.map(({ bytes }) => btoa(String.fromCharCode(...bytes)));
    }, Buffer.from(photo).toString('base64'));
    const expected = Buffer.from((await sanitize(photo)).bytes).toString('base64');
    expect(images).toEqual([expected, expected]);
    expect(requests.filter((url) => url.startsWith(from))).toEqual([`${from}standalone.js`]);
    expect(consoleOutput).toEqual([]);
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
