import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scan } from '../src/metadata/scan.ts';
import { drawPeople } from './fixtures/drawn_face.ts';
import { type InstalledPackage, installPackage } from './fixtures/installed_package.ts';
import { sampleFile } from './fixtures/samples.ts';
import { tagJpeg } from './fixtures/tagged_jpeg.ts';
import { inToolchains, toolchains } from './fixtures/toolchains.ts';

/** Examples, as a stranger runs them: beside the packed tarball. */
let installed: InstalledPackage;
let photo: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  installed = await installPackage();
  photo = tagJpeg(await sampleFile('jpeg', drawPeople(160, 120)), {});
  await cp('examples', installed.folder, { recursive: true });
  await addPackage('hono', resolve('node_modules/hono'));
});
afterAll(() => installed?.[Symbol.asyncDispose]());

async function addPackage(name: string, at: string) {
  const link = join(installed.folder, 'node_modules', name);
  await mkdir(dirname(link), { recursive: true });
  await symlink(at, link);
}

const formOf = (...files: (string | Uint8Array<ArrayBuffer>)[]) => {
  const form = new FormData();
  for (const file of files) form.append('photo', new File([file], 'Anna.jpg', { type: 'image/jpeg' }));
  return form;
};

const clean = async (answer: Response) => {
  const file = new Uint8Array(await answer.arrayBuffer());
  return [answer.status, answer.headers.get('Content-Type'), scan(file)!.format, scan(file)!.blocks];
};

type Handler = { fetch(request: Request): Response | Promise<Response> };
const served = async (name: string) => {
  const script = pathToFileURL(join(installed.folder, name)).href;
  const { default: handler } = (await import(/* @vite-ignore */ script)) as { default: Handler };
  return async (path: string, init?: RequestInit) =>
    handler.fetch(new Request(`http://app.test${path}`, init));
};

it('each example needs at most 40 lines', async () => {
  const names = (await readdir('examples')).filter((name) => /\.(?:mjs|py)$/.test(name));
  expect(names).toEqual([
    'generated_client.py',
    's3_lambda.mjs',
    'upload_express.mjs',
    'upload_fetch.mjs',
    'upload_hono.mjs',
  ]);
  for (const name of names) {
    expect((await readFile(`examples/${name}`, 'utf8')).trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  }
});

it('a handler of Hono keeps clean photos', async () => {
  const ask = await served('upload_hono.mjs');
  const answer = await ask('/photos', { method: 'POST', body: formOf(photo) });
  expect(answer.status).toBe(201);
  const { id, type } = (await answer.json()) as { id: string; type: string };
  expect(type).toBe('image/jpeg');
  expect(await clean(await ask(`/photos/${id}`))).toEqual([200, 'image/jpeg', 'jpeg', []]);
  const refused = await ask('/photos', { method: 'POST', body: formOf('text') });
  expect([refused.status, await refused.json()]).toMatchObject([422, { error: 'unprocessable_image' }]);
  expect((await ask('/photos', { method: 'POST' })).status).toBe(400);
});

it('a Fetch handler gives a clean photo back', async () => {
  const ask = await served('upload_fetch.mjs');
  const headers = { 'Content-Type': 'image/jpeg' };
  expect(await clean(await ask('/', { method: 'POST', body: photo, headers }))).toEqual([
    200,
    'image/jpeg',
    'jpeg',
    [],
  ]);
  const answer = await ask('/', { method: 'POST', body: formOf(photo, photo) });
  expect(await answer.json()).toMatchObject([{ name: 'photo.jpg' }, { name: 'photo.jpg' }]);
  expect((await ask('/', { method: 'POST', body: formOf(photo, photo, photo, photo) })).status).toBe(400);
  expect((await ask('/', { method: 'POST', body: '{}' })).status).toBe(415);
  expect((await ask('/', { method: 'POST' })).status).toBe(400);
});

it.skipIf(toolchains('express').length + toolchains('multer').length < 2)(
  'a handler of Express with multer keeps clean photos',
  async () => {
    for (const name of ['express', 'multer']) await addPackage(name, inToolchains(name));
    const { child, address } = await started(join(installed.folder, 'upload_express.mjs'));
    try {
      const ask = (path: string, init?: RequestInit) => fetch(address + path, init);
      const answer = await ask('/photos', { method: 'POST', body: formOf(photo, photo) });
      const { ids } = (await answer.json()) as { ids: string[] };
      expect([answer.status, ids.length]).toEqual([201, 2]);
      for (const id of ids)
        expect(await clean(await ask(`/photos/${id}`))).toEqual([200, 'image/jpeg', 'jpeg', []]);
      const refused = await ask('/photos', { method: 'POST', body: formOf(photo, 'text') });
      expect([refused.status, await refused.json()]).toMatchObject([422, { error: 'unprocessable_image' }]);
      const large = await ask('/photos', { method: 'POST', body: formOf(new Uint8Array(11 * 1024 * 1024)) });
      expect([large.status, await large.json()]).toMatchObject([413, { error: 'LIMIT_FILE_SIZE' }]);
      const texts = formOf(photo);
      for (let field = 0; field < 21; field++) texts.append('text', 'x');
      const many = await ask('/photos', { method: 'POST', body: texts });
      expect([many.status, await many.json()]).toMatchObject([413, { error: 'LIMIT_FIELD_COUNT' }]);
    } finally {
      child.kill();
    }
  },
);

/** What the example calls of @aws-sdk/client-s3, on buckets that are maps. */
const S3_CLIENT = `
class Command { constructor(input) { this.input = input; } }
export class GetObjectCommand extends Command {}
export class PutObjectCommand extends Command {}
export class S3Client {
  send(command) {
    return globalThis.madeS3(command.constructor.name, command.input);
  }
}
`;

interface S3Input {
  readonly Bucket: string;
  readonly Key: string;
  readonly IfMatch?: string;
  readonly Body?: Uint8Array<ArrayBuffer>;
  readonly ContentType?: string;
}

/** The event of an object as S3 tells it (S3 user guide, "Event message structure"). */
const createdEvent = (key: string, eTag = 'e1', bucket = 'uploads') => ({
  Records: [
    {
      eventVersion: '2.1',
      eventSource: 'aws:s3',
      awsRegion: 'eu-central-1',
      eventTime: '2026-11-01T00:00:00.000Z',
      eventName: 'ObjectCreated:Put',
      s3: {
        s3SchemaVersion: '1.0',
        bucket: { name: bucket, arn: `arn:aws:s3:::${bucket}` },
        object: { key, size: 1, eTag, sequencer: '0055AED6DCD90281E5' },
      },
    },
  ],
});

it('a handler of Lambda cleans what comes into a bucket of S3', async () => {
  const at = join(installed.folder, 'node_modules/@aws-sdk/client-s3');
  await mkdir(at, { recursive: true });
  await writeFile(join(at, 'package.json'), '{ "type": "module", "exports": "./index.js" }');
  await writeFile(join(at, 'index.js'), S3_CLIENT);
  const uploads = new Map<string, Uint8Array | string>([
    ['trip/My café.jpg', photo],
    ['notes.jpg', 'text'],
  ]);
  const put: S3Input[] = [];
  let busy = 0;
  const failed = (name: string) => Object.assign(new Error(name), { name });
  Object.assign(globalThis, {
    madeS3: async (command: string, input: S3Input) => {
      if (busy-- > 0) throw failed('SlowDown');
      if (command === 'PutObjectCommand') return void put.push(input);
      const file = uploads.get(input.Key);
      if (!file) throw failed('NoSuchKey');
      if (input.IfMatch !== '"e1"') throw failed('PreconditionFailed');
      return { Body: Readable.from([Buffer.from(file as string)]) };
    },
  });
  process.env.CLEAN_BUCKET = 'clean';
  const script = pathToFileURL(join(installed.folder, 's3_lambda.mjs')).href;
  const { handler } = (await import(/* @vite-ignore */ script)) as { handler(event: object): Promise<void> };
  try {
    await handler(createdEvent('trip/My+caf%C3%A9.jpg'));
    expect(put).toMatchObject([{ Bucket: 'clean', Key: 'trip/My café.jpg', ContentType: 'image/jpeg' }]);
    expect(scan(put[0]!.Body!)).toMatchObject({ format: 'jpeg', blocks: [] });
    // No picture; gone; replaced since: none of them would be another the next time.
    await handler(createdEvent('notes.jpg'));
    await handler(createdEvent('gone.jpg'));
    await handler(createdEvent('trip/My+caf%C3%A9.jpg', 'e0'));
    expect(put).toHaveLength(1);
    busy = 1;
    await expect(handler(createdEvent('trip/My+caf%C3%A9.jpg'))).rejects.toThrow('SlowDown');
    // It would be told of what it has put itself, without end.
    await expect(handler(createdEvent('a.jpg', 'e1', 'clean'))).rejects.toThrow('CLEAN_BUCKET');
    expect(put).toHaveLength(1);
  } finally {
    delete process.env.CLEAN_BUCKET;
  }
});

/** Starts a server that prints its port. */
async function started(script: string): Promise<{ child: ChildProcess; address: string }> {
  const env = { ...process.env, PORT: '0' };
  const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise<string>((done, failed) => {
    child.stdout.on('data', (piece) => done(/port (\d+)/.exec(String(piece))![1]!));
    child.on('exit', () => failed(new Error('The example has ended')));
  });
  return { child, address: `http://127.0.0.1:${port}` };
}
