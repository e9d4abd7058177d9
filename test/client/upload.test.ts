import { expect, test } from 'vitest';
import { uploadOf } from '../../client/upload.ts';

const image = new Uint8Array([1, 2, 3]);
const bytesOf = async (body: unknown) => new Uint8Array(await (body as Blob).arrayBuffer());

test('an image is sent unchanged, with its own type or as image/*', async () => {
  expect(await uploadOf(image, undefined)).toMatchObject({ contentType: 'image/*', query: '' });
  const typed = await uploadOf(new Blob([image], { type: 'image/avif' }), { grayscale: true });
  expect(typed).toMatchObject({ contentType: 'image/avif', query: '?ops=%7B%22grayscale%22%3Atrue%7D' });
  expect((await uploadOf(new Blob([image], { type: 'text/html' }), undefined)).contentType).toBe('image/*');
  const part = new Uint8Array(image.buffer, 1, 2);
  expect(await bytesOf((await uploadOf(part, undefined)).body)).toEqual(part);
});

test('ops too long for the query are sent in a form', async () => {
  const ops = { regions: Array.from({ length: 100 }, () => ({ x: 1, y: 2, w: 3, h: 4 })) };
  const { body, contentType, query } = await uploadOf(image, ops);
  expect(query).toBe('');
  expect(contentType).toMatch(/^multipart\/form-data; ?boundary=/);
  const form = await new Response((body as Blob).stream(), {
    headers: { 'Content-Type': contentType },
  }).formData();
  expect(JSON.parse(form.get('ops') as string)).toEqual(ops);
  expect(new Uint8Array(await (form.get('image') as File).arrayBuffer())).toEqual(image);
});
