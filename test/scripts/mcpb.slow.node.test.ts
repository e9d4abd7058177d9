import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scan } from '../../src/metadata/scan.ts';
import { drawPeople } from '../fixtures/drawn_face.ts';
import { type InstalledPackage, installPackage } from '../fixtures/installed_package.ts';
import { sampleFile } from '../fixtures/samples.ts';
import { readStoredZip } from '../fixtures/stored_zip.ts';
import { tagJpeg } from '../fixtures/tagged_jpeg.ts';
import { inToolchains, toolchains } from '../fixtures/toolchains.ts';
import { haveTools } from '../fixtures/tools.ts';

let installed: InstalledPackage;
let bundle: string;
beforeAll(async () => {
  installed = await installPackage();
  bundle = build('one');
});
afterAll(() => installed?.[Symbol.asyncDispose]());

/** Makes the bundle of what npm has unpacked of the tarball. @returns its path */
function build(folder: string): string {
  const args = ['scripts/package/mcpb.mjs', installed.at, join(installed.folder, folder)];
  return execFileSync(process.execPath, args, { encoding: 'utf8' }).trim();
}

/** A process without any network but its own loopback, where the system lets one be made. */
const mayDenyNetwork = haveTools('unshare') && spawnSync('unshare', ['-rn', 'true']).status === 0;
if (!mayDenyNetwork) console.log('the bundle runs with a network, since unshare may not deny it here');

interface Config {
  readonly server: { readonly mcp_config: { readonly command: string; readonly args: readonly string[] } };
  readonly tools: readonly { readonly name: string }[];
}

it('the bundle has the same bytes whenever it is made', async () => {
  expect((await readFile(build('two'))).equals(await readFile(bundle))).toBe(true);
});

it('the unpacked bundle serves its tools, with the network denied', async () => {
  const root = await mkdtemp(join(installed.folder, 'unpacked-'));
  const folders = await Promise.all(
    ['first', 'second'].map((name) =>
      mkdtemp(join(installed.folder, `${name} `)).then((path) => realpath(path)),
    ),
  );
  for (const { name, bytes } of readStoredZip(await readFile(bundle))) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), bytes);
  }
  const { server, tools } = JSON.parse(await readFile(join(root, 'manifest.json'), 'utf8')) as Config;
  // As a host does: its folder, and each chosen folder an argument of its own.
  const args = server.mcp_config.args.flatMap((argument) =>
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the name that manifests have for them
    argument === '${user_config.folders}' ? folders : [argument.replace('${__dirname}', root)],
  );
  expect(server.mcp_config.command).toBe('node');
  const command = [...(mayDenyNetwork ? ['unshare', '-rn'] : []), process.execPath, ...args];
  const transport = new StdioClientTransport({ command: command[0]!, args: command.slice(1) });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  try {
    const served = await client.listTools();
    expect(served.tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    expect(client.getServerVersion()).toMatchObject({ name: 'image-sanitizer' });
    const photo = tagJpeg(await sampleFile('jpeg', drawPeople(160, 120)), {});
    await writeFile(join(folders[1]!, 'a.jpg'), photo);
    const output = join(folders[0]!, 'clean.jpg');
    const { isError } = await client.callTool({
      name: 'sanitize_image',
      arguments: { path: join(folders[1]!, 'a.jpg'), output_path: output },
    });
    expect(isError ?? false).toBe(false);
    expect(scan(await readFile(output))).toMatchObject({ format: 'jpeg', blocks: [] });
  } finally {
    await client.close();
  }
});

it.skipIf(toolchains('@anthropic-ai/mcpb').length === 0)(
  "the manifest and the archive are what the format's own tool takes",
  async () => {
    const tool = inToolchains('@anthropic-ai/mcpb/dist/cli/cli.js');
    const root = join(installed.folder, 'by-tool');
    const run = (...args: string[]) => execFileSync(process.execPath, [tool, ...args], { encoding: 'utf8' });
    expect(run('unpack', bundle, root)).toContain('Extension unpacked successfully');
    expect(run('validate', join(root, 'manifest.json'))).toContain('Manifest schema validation passes!');
    const { version } = JSON.parse(await readFile(join(root, 'manifest.json'), 'utf8'));
    expect(version).toBe(JSON.parse(await readFile('package.json', 'utf8')).version);
  },
);
