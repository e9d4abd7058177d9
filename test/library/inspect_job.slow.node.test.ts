import { execFile } from 'node:child_process';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect } from '../../src/library/index.ts';
import { scan } from '../../src/metadata/scan.ts';
import { type InstalledPackage, installPackage } from '../fixtures/installed_package.ts';
import { allFixtures } from '../fixtures/metadata/all.ts';

const run = promisify(execFile);

/** Bytes of script that looking into a photo may load. Half of it reads values: they tell the place. */
const MOST_SCRIPT = 112 * 1024;

/** Prints the bytes of every script that is loaded, but the program itself. */
const COUNT = `import { statSync } from 'node:fs';
import { registerHooks } from 'node:module';
let bytes = 0;
registerHooks({ load(url, context, next) {
  if (url.startsWith('file:') && !/count|look\\.js/.test(url)) bytes += statSync(new URL(url)).size;
  return next(url, context);
} });
process.on('exit', () => console.log(bytes));`;

const LOOK = `import { readFile } from 'node:fs/promises';
import { inspect } from 'image-sanitizer';
console.log(JSON.stringify(await inspect(await readFile('photo.jpg'))));`;

/** As JSON gives it back. */
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

/** With more in it than cameras write. */
const photo = allFixtures
  .filter(({ bytes }) => scan(bytes)?.format === 'jpeg')
  .reduce((one, other) => (scan(one.bytes)!.blocks.length < scan(other.bytes)!.blocks.length ? other : one));

describe('inspect alone, in the packed library', () => {
  let installed: InstalledPackage;
  let folder: string;
  let core: string;
  beforeAll(async () => {
    installed = await installPackage();
    ({ folder } = installed);
    core = join(installed.at, 'dist', 'package', 'core.wasm');
    await writeFile(join(folder, 'photo.jpg'), photo.bytes);
    await writeFile(join(folder, 'count.mjs'), COUNT);
    await writeFile(join(folder, 'look.js'), LOOK);
  });
  afterAll(() => installed?.[Symbol.asyncDispose]());

  async function bundled(): Promise<string> {
    await build({
      entryPoints: [join(folder, 'look.js')],
      bundle: true,
      splitting: true,
      minify: true,
      format: 'esm',
      platform: 'node',
      outdir: join(folder, 'out'),
      logLevel: 'error',
    });
    return join('out', 'look.js');
  }

  it.each([
    ['as installed', async () => 'look.js'],
    ['bundled by esbuild', bundled],
  ])('needs little script and no image core, %s', async (name, prepare) => {
    const program = await prepare();
    await rm(join(folder, 'out', 'core.wasm'), { force: true });
    await rename(core, `${core}.away`);
    try {
      const { stdout } = await run(process.execPath, ['--import', './count.mjs', program], { cwd: folder });
      const [found, bytes] = stdout.trim().split('\n');
      expect(JSON.parse(found!)).toEqual(plain(await inspect(photo.bytes)));
      console.log(`inspect ${name}: ${bytes} bytes of script`);
      expect(Number(bytes)).toBeGreaterThan(20_000);
      expect(Number(bytes)).toBeLessThanOrEqual(MOST_SCRIPT);
    } finally {
      await rename(`${core}.away`, core);
    }
  });

  it('loads the core, the values and the ops’ schema when they are needed', async () => {
    const images = allFixtures.map(({ bytes }) => Buffer.from(bytes).toString('base64'));
    await writeFile(join(folder, 'images.json'), JSON.stringify(images));
    await writeFile(
      join(folder, 'all.js'),
      `import { readFile, writeFile } from 'node:fs/promises';
import { inspect } from 'image-sanitizer';
const images = JSON.parse(await readFile('images.json', 'utf8')).map((text) => Buffer.from(text, 'base64'));
const told = [];
for (const image of images) told.push(await inspect(image, { values: true }).catch(({ code }) => code));
told.push(await inspect(images[0], { values: 1 }).catch(({ issues }) => issues));
await writeFile('told.json', JSON.stringify(told));`,
    );
    await run(process.execPath, ['all.js'], { cwd: folder });
    const told = JSON.parse(await readFile(join(folder, 'told.json'), 'utf8'));
    expect(told.pop()).toMatchObject([{ path: 'values', code: 'invalid_type' }]);
    expect(told).toHaveLength(allFixtures.length);
    for (const [index, { name, bytes }] of allFixtures.entries()) {
      const expected = await inspect(bytes, { values: true }).catch(({ code }) => code);
      expect([name, told[index]]).toEqual([name, plain(expected)]);
    }
  });
});
