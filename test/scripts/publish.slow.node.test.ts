import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runToEnd } from '../fixtures/installed_package.ts';

interface Published {
  readonly versions: Readonly<Record<string, { readonly repository?: unknown; readonly bugs?: unknown }>>;
}

let folder: string;
let registry: Server;
/** What the registry was given. */
let published: Published[];
beforeEach(async () => {
  published = [];
  registry = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.method === 'PUT') published.push(JSON.parse(Buffer.concat(chunks).toString()));
    response.writeHead(request.method === 'PUT' ? 201 : 404, { 'Content-Type': 'application/json' });
    response.end('{}');
  });
  await new Promise<void>((done) => registry.listen(0, '127.0.0.1', done));
  folder = await mkdtemp(join(tmpdir(), 'publish-'));
  const { publishConfig, scripts } = JSON.parse(await readFile('package.json', 'utf8'));
  // The package's own settings and steps; what it is built of is another test's.
  const { stage, pack, release } = scripts;
  const manifest = {
    name: 'tried',
    version: '1.0.0',
    private: true,
    files: ['dist/package', 'README.md'],
    publishConfig,
    scripts: { stage, pack, release },
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'README.md'), '[More](docs/more.md)');
  await mkdir(join(folder, 'dist', 'package'), { recursive: true });
  await cp('scripts/package', join(folder, 'scripts/package'), { recursive: true });
  await writeFile(join(folder, 'scripts/package/build.mjs'), '');
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  await runToEnd('git', ['init', '--quiet'], folder);
});
afterEach(async () => {
  registry.close();
  registry.closeAllConnections();
  await rm(folder, { recursive: true, force: true });
});

/** npm in the folder, on a machine that is no CI's. */
function npm(args: string, env: Readonly<Record<string, string>> = {}) {
  const { port } = registry.address() as AddressInfo;
  const own = ['PATH', 'HOME'].map((name) => `${name}=${process.env[name]}`);
  const registryArgs = [`--registry=http://127.0.0.1:${port}/`, `--//127.0.0.1:${port}/:_authToken=none`];
  const given = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return runToEnd('env', ['-i', ...own, ...given, 'npm', ...args.split(' '), ...registryArgs], folder);
}

it('a release says where its sources are, and is refused where nobody knows', async () => {
  const packed = await npm('run --silent pack -- --silent');
  expect([packed.code, packed.stdout]).toEqual([0, 'tried-1.0.0.tgz\n']);

  const checkout = await npm('publish --provenance=false');
  expect([checkout.code, published]).toEqual([1, []]);
  expect(checkout.stderr).toContain('marked as private');

  const nowhere = await npm('run release -- --provenance=false');
  expect([nowhere.code, published]).toEqual([1, []]);
  expect(nowhere.stderr).toContain('package.json names no repository');

  await runToEnd('git', ['remote', 'add', 'origin', 'git@git.example:a/b.git'], folder);
  // By its own settings the package needs what only CI can prove.
  const unproven = await npm('run release --');
  expect([unproven.code === 0, published]).toEqual([false, []]);
  expect(unproven.stderr).toMatch(/provenance/);

  const here = await npm('run release -- --provenance=false');
  expect([here.code, published.length]).toEqual([0, 1]);
  expect(published[0]!.versions['1.0.0']).toMatchObject({
    repository: { type: 'git', url: 'git+https://git.example/a/b.git' },
  });
  expect(published[0]!.versions['1.0.0']).not.toHaveProperty('scripts');

  const github = {
    GITHUB_ACTIONS: 'true',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_REPOSITORY: 'a/b',
  };
  const elsewhere = await npm('run release -- --provenance=false', github);
  expect([elsewhere.code, published.length]).toEqual([1, 1]);
  expect(elsewhere.stderr).toContain('but this is https://github.com/a/b');
});

it('a release from GitHub names its repository and where to report faults', async () => {
  const github = {
    GITHUB_ACTIONS: 'true',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_REPOSITORY: 'a/b',
  };
  expect((await npm('run release -- --provenance=false', github)).code).toBe(0);
  expect(published[0]!.versions['1.0.0']).toMatchObject({
    repository: { url: 'git+https://github.com/a/b.git' },
    bugs: { url: 'https://github.com/a/b/issues' },
    // A document of the repository that the package lacks, at the address that the release has filled in.
    readme: '[More](https://github.com/a/b/blob/HEAD/docs/more.md)',
  });
});

it('npm pack prints a name alone, whatever is built: pre-commit takes all of it for that', async () => {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const scripts = { prepare: 'echo built' };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, scripts }));
  expect((await npm('pack --dry-run')).stdout).toContain('built');
  await cp('.npmrc', join(folder, '.npmrc'));
  expect(await npm('pack')).toMatchObject({ code: 0, stdout: 'tried-1.0.0.tgz\n' });
});
