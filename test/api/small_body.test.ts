import { expect, test } from 'vitest';
import { readSmallBody } from '../../src/api/small_body.ts';

const post = (body: BodyInit | null, headers: Record<string, string> = {}) =>
  new Request('https://service.test', { method: 'POST', body, headers });

test('a body of up to the limit is read as text', async () => {
  expect(await readSmallBody(post('grün'), 5)).toBe('grün');
  expect(await readSmallBody(post(null), 5)).toBe('');
  const parts = new ReadableStream({
    start(controller) {
      for (const byte of [97, 98, 99]) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  expect(await readSmallBody(post(parts), 3)).toBe('abc');
});

test('a longer body is not read if its length is declared', async () => {
  const request = post('123456', { 'Content-Length': '6' });
  expect(await readSmallBody(request, 5)).toBeNull();
  expect(request.bodyUsed).toBe(false);
});

test('a longer body without a declared length is left to its sender, not cancelled', async () => {
  let isCancelled = false;
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(4)),
    cancel: () => {
      isCancelled = true;
    },
  });
  expect(await readSmallBody(post(endless), 10)).toBeNull();
  expect(isCancelled).toBe(false);
});
