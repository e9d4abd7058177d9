import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { callTool } from '../../../src/cli/mcp/call_tool.ts';
import { fileTools } from '../../../src/cli/mcp/file_tools.ts';
import { Folders } from '../../../src/cli/mcp/folders.ts';
import { detect, inspect, sanitize } from '../../../src/library/index.ts';
import { identify } from '../../../src/metadata/signatures.ts';
import { drawPeople } from '../../fixtures/drawn_face.ts';
import { sampleFile } from '../../fixtures/samples.ts';

let folder: string;
let photo: Uint8Array<ArrayBuffer>;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'tool-')));
  photo = await sampleFile('jpeg', drawPeople(60, 40));
  await writeFile(join(folder, 'a.jpg'), photo);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const noFaces = { pixelate: { faces: false } };

async function call(name: string, args: object, opsDuplicates?: string[], folders?: Folders) {
  const context = {
    sanitizer: { sanitize, inspect, detect },
    folders: folders ?? (await Folders.of([folder])),
    maxBytes: 100_000,
    now: () => 0,
  };
  const tool = fileTools.find((one) => one.name === name)!;
  return callTool(tool, args, context, new AbortController().signal, opsDuplicates);
}

async function refusal(name: string, args: object, opsDuplicates?: string[]) {
  const { isError, content } = await call(name, args, opsDuplicates);
  expect(isError).toBe(true);
  return JSON.parse((content[0] as { text: string }).text);
}

it('writes the clean image to a path, in the format that it ends in, and tells where', async () => {
  const args = { path: 'a.jpg', output_path: 'b.png', ops: noFaces };
  const { structuredContent, content } = await call('sanitize_image', args);
  expect(structuredContent).toMatchObject({ content_type: 'image/png', output_path: join(folder, 'b.png') });
  expect(content).toHaveLength(1);
  expect(identify(await readFile(join(folder, 'b.png'))).format).toBe('png');
});

it('refuses ops that name a member twice, as the service does: the last one would count', async () => {
  const args = { path: 'a.jpg', output_path: 'b.png', ops: noFaces };
  expect(await refusal('sanitize_image', args, ['pixelate.faces'])).toEqual({
    error: 'invalid_ops',
    message: 'ops holds "pixelate.faces" more than once.',
    issues: [expect.objectContaining({ path: 'pixelate.faces', code: 'duplicate_name' })],
  });
  expect(await readdir(folder)).toEqual(['a.jpg']);
});

it('reads and writes nothing where a folder becomes a link once its path was looked at', async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), 'elsewhere-'));
  const within = join(folder, 'deep');
  await writeFile(join(elsewhere, 'a.jpg'), photo);
  const folders = await Folders.of([folder]);
  /** What is looked up last finds the folder replaced. */
  const replacing = (what: 'source' | 'output') => {
    const looked = async (path: string) => {
      const real = await folders[what](path);
      await rm(within, { recursive: true });
      await symlink(elsewhere, within);
      return real;
    };
    const requireStill = folders.requireStill.bind(folders);
    const others = { source: folders.source.bind(folders), output: folders.output.bind(folders) };
    return { ...others, requireStill, [what]: looked } as unknown as Folders;
  };
  try {
    for (const [what, args] of [
      ['source', { path: 'deep/a.jpg', ops: noFaces }],
      ['output', { path: 'a.jpg', output_path: 'deep/b.png', ops: noFaces }],
    ] as const) {
      await rm(within, { recursive: true, force: true });
      await mkdir(within);
      await writeFile(join(within, 'a.jpg'), photo);
      const { isError, content } = await call('sanitize_image', args, [], replacing(what));
      expect([what, isError]).toEqual([what, true]);
      expect((content[0] as { text: string }).text).toContain('was moved while it was opened');
    }
    expect(await readdir(elsewhere)).toEqual(['a.jpg']);
  } finally {
    await rm(elsewhere, { recursive: true });
  }
});

it('replaces nothing', async () => {
  const args = { path: 'a.jpg', output_path: 'a.jpg', ops: noFaces };
  expect(await refusal('sanitize_image', args)).toMatchObject({ message: 'output_path is there already' });
  expect(await readFile(join(folder, 'a.jpg'))).toEqual(Buffer.from(photo));
  expect(await readdir(folder)).toEqual(['a.jpg']);
});

it('gives the picture as content where no path is named, of an image in base64, too', async () => {
  const image = `data:image/jpeg;base64,${Buffer.from(photo).toString('base64url')}`;
  for (const source of [{ path: 'a.jpg' }, { image }]) {
    const { content, structuredContent } = await call('sanitize_image', { ...source, ops: noFaces });
    const [picture] = content as { type: string; data: string; mimeType: string }[];
    expect(picture).toMatchObject({ type: 'image', mimeType: 'image/jpeg' });
    expect(identify(Buffer.from(picture!.data, 'base64')).format).toBe('jpeg');
    expect(structuredContent).toMatchObject({ report: { durationMs: 0, verified: { blocks: [] } } });
  }
});

it('inspects and detects, null members being absent', async () => {
  const inspected = await call('inspect_image', { path: 'a.jpg', image: null, ops: { values: true } });
  expect(inspected.structuredContent).toMatchObject({ format: 'jpeg', width: 60 });
  const detected = await call('detect_faces', { path: 'a.jpg' });
  expect(detected.structuredContent).toHaveProperty('faces');
});

it.each([
  ['neither path nor image', 'inspect_image', {}, /either image or path but received neither/],
  ['both', 'inspect_image', { path: 'a.jpg', image: 'AA==' }, /received both/],
  ['a path outside', 'inspect_image', { path: '/etc/passwd' }, /outside of the folders/],
  [
    'an output outside',
    'sanitize_image',
    { path: 'a.jpg', output_path: '../b.jpg' },
    /outside of the folders/,
  ],
  [
    'an output of a tool that only looks',
    'detect_faces',
    { path: 'a.jpg', output_path: 'b.jpg' },
    /does not take/,
  ],
  [
    'an output that is no image',
    'sanitize_image',
    { path: 'a.jpg', output_path: 'b.sh' },
    /\.jpg, \.png or \.webp/,
  ],
  [
    'two formats',
    'sanitize_image',
    { path: 'a.jpg', output_path: 'b.png', ops: { output: { format: 'webp' } } },
    /Expected output\.format to be png/,
  ],
  ['no base64', 'inspect_image', { image: 'https://example.com/a.jpg' }, /base64/],
  ['a number', 'inspect_image', { path: 7 }, /path to be a text/],
  ['too much', 'inspect_image', { image: 'A'.repeat(200_000) }, /at most 100000 bytes/],
])('refuses %s', async (_, name, args, message) => {
  expect((await refusal(name, args)).message).toMatch(message);
});

it('names few of very many strange arguments: an answer is no longer than it helps', async () => {
  const strange = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`${n}${'n'.repeat(500)}`, 1]));
  const { message } = await refusal('detect_faces', { path: 'a.jpg', ...strange });
  expect(message).toMatch(/does not take .* and 49980 more$/);
  expect(String(message).length).toBeLessThan(2000);
});

it('tells all that is wrong with ops, before a file is read', async () => {
  const body = await refusal('sanitize_image', {
    path: 'none.jpg',
    ops: { output: { quality: 0 }, nope: 1 },
  });
  expect(body).toMatchObject({ error: 'invalid_ops' });
  expect(body.issues).toHaveLength(2);
});

it('refuses every name that it does not know, those that objects of JavaScript have, too', async () => {
  for (const name of ['__proto__', 'constructor', 'toString']) {
    const strange = (text: string) => JSON.parse(text.replace('NAME', name));
    expect(await refusal('detect_faces', strange('{"path":"a.jpg","NAME":1}'))).toMatchObject({
      message: `detect_faces does not take ${name}`,
    });
    for (const ops of ['{"NAME":{}}', '{"detectors":{"NAME":true}}'])
      expect(JSON.stringify(await refusal('detect_faces', { path: 'a.jpg', ops: strange(ops) }))).toContain(
        name,
      );
    const pixelate = strange('{"NAME":true}');
    expect(await refusal('sanitize_image', { path: 'a.jpg', ops: { pixelate } })).toMatchObject({
      issues: [{ path: `pixelate.${name}` }],
    });
  }
});

it('refuses what can be no ops also where a path names the format, which took it for none', async () => {
  for (const ops of [[], 0, false, 'x', { output: [] }, { output: false }]) {
    const args = { path: 'a.jpg', output_path: 'c.png', ops };
    expect(await refusal('sanitize_image', args), JSON.stringify(ops)).toMatchObject({
      error: 'invalid_ops',
    });
  }
});
