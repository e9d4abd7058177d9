import { beforeAll, describe, expect, it } from 'vitest';
import { ImageError } from '../../../src/library/image_error.ts';
import type { SanitizedImage } from '../../../src/library/options.ts';
import { cleanRequest } from '../../../src/library/upload/clean_request.ts';
import type { UploadOptions } from '../../../src/library/upload/clean_upload.ts';
import { UploadError } from '../../../src/library/upload/upload_error.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { drawPeople } from '../../fixtures/drawn_face.ts';
import { sampleFile } from '../../fixtures/samples.ts';
import { tagJpeg } from '../../fixtures/tagged_jpeg.ts';

const ops = { pixelate: { faces: false } };
const blocksOf = (file: Uint8Array) => scan(file)!.blocks.map(({ name }) => name);

let photo: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  photo = tagJpeg(await sampleFile('jpeg', drawPeople(40, 30)), {});
  expect(blocksOf(photo)).not.toEqual([]);
});

const ask = (body: BodyInit, headers: Record<string, string> = {}) =>
  new Request('https://app.test/photos?a=1', {
    method: 'POST',
    body,
    headers,
    duplex: 'half',
  } as RequestInit);

const photoFile = (name = 'Anna at home.JPG') => new File([photo], name, { type: 'image/jpeg' });

function formOf(...entries: [string, string | File][]): FormData {
  const form = new FormData();
  for (const [name, value] of entries) form.append(name, value);
  return form;
}

const refusal = async (request: Request, options: UploadOptions = { ops }) => {
  const error = await cleanRequest(request, options).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UploadError);
  const { code, status } = error as UploadError;
  return [status, code];
};

describe('a request', () => {
  it('of a form has clean files with neutral names, and its texts and order as they were', async () => {
    const form = formOf(['title', 'Ännchen'], ['photo', photoFile()], ['tag', 'a'], ['tag', 'b']);
    const clean = await cleanRequest(ask(form, { 'X-Kept': '1' }), { ops });
    expect([clean.url, clean.method]).toEqual(['https://app.test/photos?a=1', 'POST']);
    expect(clean.headers.get('X-Kept')).toBe('1');
    const entries = [...(await clean.formData())];
    expect(entries.map(([name]) => name)).toEqual(['title', 'photo', 'tag', 'tag']);
    expect(entries[0]![1]).toBe('Ännchen');
    const file = entries[1]![1] as File;
    expect([file.name, file.type]).toEqual(['photo.jpg', 'image/jpeg']);
    expect(blocksOf(new Uint8Array(await file.arrayBuffer()))).toEqual([]);
  });

  it('of a form has files whose names lead nowhere, whatever their fields are called', async () => {
    const clean = await cleanRequest(ask(formOf(['../../app/x', photoFile()], ['a\\b\0', photoFile()])), {
      ops,
      maxFiles: 2,
    });
    const names = [...(await clean.formData())].map(([, file]) => (file as File).name);
    expect(names).toEqual(['.._.._app_x.jpg', 'a_b_.jpg']);
  });

  it('of a picture as its body has the clean one, by the type that it has become', async () => {
    const options = { ops: { ...ops, output: { format: 'png' as const } } };
    const clean = await cleanRequest(ask(photo, { 'Content-Type': 'image/jpeg' }), options);
    expect(clean.headers.get('Content-Type')).toBe('image/png');
    const bytes = new Uint8Array(await clean.arrayBuffer());
    expect([scan(bytes)!.format, blocksOf(bytes)]).toEqual(['png', []]);
  });

  it('without a body comes back as it is', async () => {
    const request = new Request('https://app.test/');
    expect(await cleanRequest(request)).toBe(request);
  });

  it('whose chooser of files was left empty loses that file alone', async () => {
    const clean = await cleanRequest(ask(formOf(['photo', new File([], 'none')], ['title', 'x'])), { ops });
    expect([...(await clean.formData())]).toEqual([['title', 'x']]);
  });
});

describe('refused is', () => {
  const text = { 'Content-Type': 'text/plain' };
  it.each<[string, () => Request, UploadOptions, [number, string]]>([
    [
      'what is no picture',
      () => ask(formOf(['f', new File(['x'], 'x.jpg')])),
      {},
      [422, 'unprocessable_image'],
    ],
    ['a body of another kind', () => ask('{}', text), {}, [415, 'unsupported_media_type']],
    [
      'a broken form',
      () => ask('no parts', { 'Content-Type': 'multipart/form-data; boundary=x' }),
      {},
      [400, 'bad_request'],
    ],
    [
      'a file more than allowed',
      () => ask(formOf(['a', photoFile()], ['b', photoFile()])),
      {},
      [400, 'bad_request'],
    ],
    [
      'a file that is too large',
      () => ask(formOf(['a', photoFile()])),
      { maxBytes: 99 },
      [413, 'payload_too_large'],
    ],
    [
      'a picture that is too large',
      () => ask(photo, { 'Content-Type': 'image/jpeg' }),
      { maxBytes: 99 },
      [413, 'payload_too_large'],
    ],
    [
      'a crop outside of the picture',
      () => ask(photo, { 'Content-Type': 'image/jpeg' }),
      { ops: { crop: { x: 999, y: 0, width: 9, height: 9 } } },
      [400, 'invalid_ops'],
    ],
  ])('%s', async (_, request, options, expected) => {
    expect(await refusal(request(), options)).toEqual(expected);
  });

  it('a body beyond the limit before it has come to its end', async () => {
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent++;
        controller.enqueue(new Uint8Array(65536));
      },
    });
    const request = ask(endless, { 'Content-Type': 'multipart/form-data; boundary=x' });
    expect(await refusal(request, { maxBytes: 1000 })).toEqual([413, 'payload_too_large']);
    // 1 MB is left for texts.
    expect(sent).toBeLessThan(24);
  });
});

it('a form of very many parts is refused before the runtime parses them all at once', async () => {
  const part = (field: string) => `--B\r\nConTent-disPosition: form-data; name="${field}"\r\n\r\nx\r\n`;
  const form = (parts: number) => new TextEncoder().encode(`${part('a').repeat(parts)}--B--\r\n`);
  const type = { 'Content-Type': 'multipart/form-data; boundary=B' };
  const clean = await cleanRequest(ask(form(1000), type), { ops });
  expect([...(await clean.formData())]).toHaveLength(1000);
  expect(await refusal(ask(form(1001), type))).toEqual([400, 'bad_request']);
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent++;
      // Cut within the headers.
      controller.enqueue(form(1001).subarray(0, 30_011));
    },
  });
  expect(await refusal(ask(endless, type))).toEqual([400, 'bad_request']);
  expect(sent).toBeLessThan(10);
});

it('a form whose headers take the room of its files is refused: runtimes took seconds for them', async () => {
  const type = { 'Content-Type': 'multipart/form-data; boundary=B' };
  const form = (header: string) => `--B\r\n${header}\r\n\r\nx\r\n--B--\r\n`;
  const named = 'Content-Disposition: form-data; name="a"';
  const long = 'a: b\r\n'.repeat(200_000);
  expect(await refusal(ask(form(long + named), type))).toEqual([413, 'payload_too_large']);
  const name = `Content-Disposition: form-data; name="${'%0A'.repeat(400_000)}"`;
  expect(await refusal(ask(form(name), type))).toEqual([413, 'payload_too_large']);
});

it('keeps none of the chunks of a form: those of one byte took a kilobyte each', async () => {
  const form = new TextEncoder().encode(
    '--B\r\nContent-Disposition: form-data; name="title"\r\n\r\nAnna\r\n--B--\r\n',
  );
  const chunk = new Uint8Array(1);
  let sent = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      // The same bytes again and again: what is not copied at once is lost.
      pull(controller) {
        chunk.fill(form[sent++] ?? 0);
        if (sent > form.length) controller.close();
        else controller.enqueue(chunk);
      },
    },
    { highWaterMark: 0 },
  );
  const clean = await cleanRequest(ask(body, { 'Content-Type': 'multipart/form-data; boundary="B"' }));
  expect([...(await clean.formData())]).toEqual([['title', 'Anna']]);
});

it('a form whose texts take the room of its files is refused', async () => {
  const form = formOf(['a', 'x'.repeat(700_000)], ['b', 'x'.repeat(700_000)]);
  expect(await refusal(ask(form))).toEqual([413, 'payload_too_large']);
});

it('a call that is aborted rejects with its reason, though its body never comes', async () => {
  const leaving = new AbortController();
  const request = new Request('https://app.test/', {
    method: 'POST',
    body: new ReadableStream(),
    headers: { 'Content-Type': 'image/jpeg' },
    signal: leaving.signal,
    duplex: 'half',
  } as RequestInit);
  const call = cleanRequest(request);
  setTimeout(() => leaving.abort(new Error('gone')), 5);
  await expect(call).rejects.toThrow('gone');
});

it('another way to clean is taken, and its errors that are none of the image stay as they are', async () => {
  const request = () => ask(formOf(['a', photoFile()]));
  const result = { bytes: new Uint8Array(3), mediaType: 'image/webp', extension: 'webp' };
  const clean = await cleanRequest(request(), { sanitize: async () => result as SanitizedImage });
  expect(((await clean.formData()).get('a') as File).name).toBe('a.webp');
  const throwing = (error: Error) => ({
    sanitize: () => Promise.reject(error),
  });
  await expect(cleanRequest(request(), throwing(new TypeError('mine')))).rejects.toThrow(TypeError);
  expect(await refusal(request(), throwing(new ImageError('overloaded', 'full')))).toEqual([
    503,
    'overloaded',
  ]);
});

it('an UploadError answers in the words of the HTTP API', async () => {
  const issues = [{ path: 'crop', message: 'Expected more', code: 'out_of_image' }];
  const answer = new UploadError('invalid_ops', 'why', issues).getResponse();
  expect([answer.status, await answer.json()]).toEqual([
    400,
    { error: 'invalid_ops', message: 'why', issues },
  ]);
  const other = new UploadError('payload_too_large', 'why').getResponse();
  expect([other.status, await other.json()]).toEqual([413, { error: 'payload_too_large', message: 'why' }]);
});
