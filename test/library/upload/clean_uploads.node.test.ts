import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { cleanUploads } from '../../../src/library/upload/clean_uploads.ts';
import { drawPeople } from '../../fixtures/drawn_face.ts';
import { sampleFile } from '../../fixtures/samples.ts';

const app = new Hono();
app.use(cleanUploads({ ops: { pixelate: { faces: false }, output: { format: 'png' } } }));
app.get('/', (c) => c.text('no body'));
app.post('/form', async (c) => {
  const { photo, title } = await c.req.parseBody();
  return c.json({ name: (photo as File).name, type: (photo as File).type, title });
});
app.post('/body', async (c) =>
  c.body(await c.req.arrayBuffer(), 200, { 'Content-Type': c.req.header('Content-Type')! }),
);

const form = (file: string | Uint8Array<ArrayBuffer>) => {
  const body = new FormData();
  body.append('photo', new File([file], 'home.jpg', { type: 'image/jpeg' }));
  body.append('title', 'x');
  return { method: 'POST', body };
};

test('handlers of Hono read what is clean', async () => {
  const photo = await sampleFile('jpeg', drawPeople(40, 30));
  const parsed = await app.request('/form', form(photo));
  expect(await parsed.json()).toEqual({ name: 'photo.png', type: 'image/png', title: 'x' });
  const headers = { 'Content-Type': 'image/jpeg' };
  const raw = await app.request('/body', { method: 'POST', body: photo, headers });
  expect(raw.headers.get('Content-Type')).toBe('image/png');
  expect(await (await app.request('/')).text()).toBe('no body');
});

test('Hono answers a refusal as it says, without the handler', async () => {
  const refused = await app.request('/form', form('no picture'));
  expect([refused.status, await refused.json()]).toEqual([
    422,
    expect.objectContaining({ error: 'unprocessable_image' }),
  ]);
});
