import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sanitize } from '../../src/library/index.ts';
import { browserPath, visit } from '../browser/chromium.ts';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { type InstalledPackage, installPackage, runtimes } from '../fixtures/installed_package.ts';
import { sampleFile } from '../fixtures/samples.ts';
import { inToolchains, toolchains } from '../fixtures/toolchains.ts';

const run = promisify(execFile);

/** Cleans a photo on its own and on a thread, out of one file. */
const CLEAN = `import { readFile, writeFile } from 'node:fs/promises';
import { createSanitizer, ImageError, inspect, sanitize } from 'image-sanitizer/standalone';
async function main() {
  const photo = await readFile('photo.jpg');
  const { bytes } = await sanitize(photo);
  const sanitizer = createSanitizer({ workers: 1 });
  const again = await sanitizer.sanitize(photo);
  if (!Buffer.from(again.bytes).equals(bytes)) throw new Error('threads give other bytes');
  const refused = await sanitizer.sanitize(new Uint8Array(9)).catch((error) => error instanceof ImageError);
  if (!refused || (await inspect(photo)).width !== 320) throw new Error('it is not the library');
  await writeFile('clean.jpg', bytes);
}
main();
`;

let installed: InstalledPackage;
let photo: Uint8Array<ArrayBuffer>;
let expected: Buffer;
beforeAll(async () => {
  installed = await installPackage();
  photo = await sampleFile('jpeg', drawPeople(320, 240, [{ x: 100, y: 50, w: 80, h: 100 }]));
  expected = Buffer.from((await sanitize(photo)).bytes);
  await writeFile(join(installed.folder, 'main.mjs'), CLEAN);
});
afterAll(() => installed?.[Symbol.asyncDispose]());

/** Runs a program where there is nothing but a photo, and compares what it makes of it. */
async function cleansAlone(files: readonly string[], program: string, args: readonly string[]) {
  const alone = await mkdtemp(join(dirname(installed.folder), 'alone-'));
  for (const file of files) await rename(join(installed.folder, file), join(alone, file));
  await writeFile(join(alone, 'photo.jpg'), photo);
  await run(program === '.' ? join(alone, files[0]!) : program, [...args], { cwd: alone });
  expect(Buffer.from(await readFile(join(alone, 'clean.jpg'))).equals(expected)).toBe(true);
}

describe('the build in one file', () => {
  it('imports nothing, names no file, and awaits nothing at its top', async () => {
    const path = join(installed.at, 'dist', 'package', 'standalone.js');
    const script = await readFile(path, 'utf8');
    expect(script).not.toMatch(/import\.meta|["'`]#(?:home|threads|parts)["'`]|\bimport\(/);
    const { metafile } = await build({
      ...{ entryPoints: [path], bundle: true, write: false, metafile: true, logLevel: 'error' },
      ...{ platform: 'neutral', format: 'esm', target: ['es2020', 'chrome87'], outdir: 'out' },
    });
    const imports = Object.values(metafile.inputs).flatMap(({ imports }) => imports);
    // esbuild's own.
    expect(imports.filter((one) => one.path !== '<runtime>')).toEqual([]);
  });

  it.each(runtimes().filter(([name]) => name !== 'Node 20.0.0'))(
    'cleans in %s',
    async (_, [program, ...args]) => {
      await cp(join(installed.at, 'dist', 'package', 'standalone.js'), join(installed.folder, 'one.mjs'));
      const local = CLEAN.replace('image-sanitizer/standalone', './one.mjs');
      await writeFile(join(installed.folder, 'local.mjs'), local);
      await cleansAlone(['one.mjs', 'local.mjs'], program!, [...args, 'local.mjs']);
    },
  );

  // Its worker threads can't be reached without an import before Node 20.16.
  it.each(runtimes().filter(([name]) => name === 'Node 20.0.0'))(
    'says in %s what its threads need, and cleans without them',
    async (_, [program]) => {
      const script = `import { createSanitizer, sanitize } from 'image-sanitizer/standalone';
const photo = new Uint8Array(${JSON.stringify([...photo])});
console.log((await sanitize(photo)).bytes.length);
await createSanitizer().sanitize(photo).catch(({ cause }) => console.log(cause.message));`;
      await writeFile(join(installed.folder, 'old.mjs'), script);
      const { stdout } = await run(program!, ['old.mjs'], { cwd: installed.folder });
      expect(stdout).toBe(
        `${expected.length}\nExpected worker threads: those of a page, or of Node 20.16, Deno or Bun\n`,
      );
    },
  );
});

describe('recipes', () => {
  it.each(['esm', 'cjs'] as const)('esbuild makes one file for Node, as %s', async (format) => {
    const name = format === 'esm' ? 'function.mjs' : 'function.cjs';
    await build({
      ...{ entryPoints: [join(installed.folder, 'main.mjs')], bundle: true, platform: 'node', format },
      ...{ outfile: join(installed.folder, name), logLevel: 'error' },
    });
    await cleansAlone([name], process.execPath, [name]);
  });

  it.each(toolchains('bun'))('bun $version compiles a program of one file', async () => {
    const args = ['build', '--compile', 'main.mjs', '--outfile', 'program'];
    await run(inToolchains('bun/bin/bun'), args, { cwd: installed.folder });
    await cleansAlone(['program'], '.', []);
  });

  const routes = [
    [
      'the library, left outside of the bundle',
      'image-sanitizer',
      "serverExternalPackages: ['image-sanitizer'],",
    ],
    ['the build in one file, without settings', 'image-sanitizer/standalone', ''],
  ] as const;
  const nexts = toolchains('next').flatMap(({ version }) =>
    routes.map((route) => [version, ...route] as const),
  );
  describe.each(nexts)('Next %s with %s', (_, __, name, setting) => {
    let app: Awaited<ReturnType<typeof nextApp>>;
    beforeAll(async () => {
      app = await nextApp(name, setting);
    });
    afterAll(() => app?.[Symbol.asyncDispose]());

    it('cleans in a route', async () => {
      const response = await fetch(`${app.address}/clean`, { method: 'POST', body: photo });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
      expect(Buffer.from(await response.arrayBuffer()).equals(expected)).toBe(true);
    });

    it.skipIf(!browserPath)('cleans in a client component, and sends nothing', async () => {
      await using tab = await visit();
      const { page, consoleOutput, sent } = tab;
      await page.goto(app.address);
      // Until React has taken the input over, nobody hears of a file.
      await page.waitForFunction(
        "Object.keys(document.querySelector('input')).some((key) => key.startsWith('__reactProps'))",
      );
      await page.setInputFiles('input', {
        name: 'a.jpg',
        mimeType: 'image/jpeg',
        buffer: Buffer.from(photo),
      });
      const saved = page.waitForEvent('download');
      await page.click('a[download]');
      expect(await readFile(await (await saved).path())).toEqual(expected);
      expect([consoleOutput, sent]).toEqual([[], []]);
    });
  });
});

/** A project of Next, built and started; beside Next's packages, which it looks for in folders above it. */
async function nextApp(name: string, setting: string) {
  const folder = await mkdtemp(resolve('test/toolchains/app-'));
  let server: ChildProcess | undefined;
  const end = async () => {
    server?.kill();
    await rm(folder, { recursive: true, force: true });
  };
  const write = (path: string, text: string) => writeFile(join(folder, path), text);
  try {
    await mkdir(join(folder, 'app', 'clean'), { recursive: true });
    await cp(installed.at, join(folder, 'node_modules', 'image-sanitizer'), { recursive: true });
    await write('package.json', '{ "type": "module" }');
    // The root is for this test's place alone.
    const root = JSON.stringify(resolve('test/toolchains'));
    await write('next.config.mjs', `export default { ${setting} turbopack: { root: ${root} } };`);
    const head = '<head><link rel="icon" href="data:," /></head>';
    const html = `<html>${head}<body>{children}</body></html>`;
    await write('app/layout.jsx', `export default ({ children }) => ${html};`);
    const [component] = /(?<=```jsx\n)'use client';.*?(?=```)/s.exec(
      await readFile('docs/library.md', 'utf8'),
    )!;
    await write('app/page.jsx', component.replaceAll("'image-sanitizer", `'${name}`));
    await write(
      'app/clean/route.js',
      `import { sanitize } from '${name}';
export async function POST(request) {
  const { bytes, mediaType } = await sanitize(await request.blob());
  return new Response(bytes, { headers: { 'Content-Type': mediaType } });
}`,
    );
    const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' as const };
    const next = inToolchains('next/dist/bin/next');
    await run(process.execPath, [next, 'build'], { cwd: folder, env });
    const args = [next, 'start', '-p', '0', '-H', '127.0.0.1'];
    const started = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    server = started;
    const address = await new Promise<string>((done, failed) => {
      let text = '';
      started.stdout.on('data', (piece) => {
        text += piece;
        const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
        if (found && text.includes('Ready')) done(found);
      });
      started.on('exit', () => failed(new Error(`Next has ended: ${text}`)));
    });
    return { address, [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}
