import { describe, expect, test } from 'vitest';
import { chunksOf, isByteStream, StreamBody } from '../../client/stream_body.ts';

const bytes = [new Uint8Array([1, 2]), new Uint8Array([3])];
async function* source(ended: () => void = () => {}): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } finally {
    ended();
  }
}
const sentBy = async (body: StreamBody) => new Uint8Array(await new Response(body.stream()).arrayBuffer());

describe('a body that can be read once', () => {
  test('is read when it is sent, not before, and may be made anew until then', async () => {
    const body = new StreamBody(source());
    body.stream();
    await Promise.resolve();
    expect(body.isRead).toBe(false);
    expect(await sentBy(body)).toEqual(new Uint8Array([1, 2, 3]));
    expect(body.isRead).toBe(true);
  });

  test('lets its source go', async () => {
    let ended = false;
    const body = new StreamBody(source(() => (ended = true)));
    await body.stream().getReader().read();
    await body.close();
    expect(ended).toBe(true);
  });
});

test('a stream is told by its form, and one that can’t be iterated is read by a reader', async () => {
  for (const other of [null, undefined, 'text', {}, new Uint8Array(1), new Blob([])])
    expect(isByteStream(other)).toBe(false);
  expect(isByteStream(source())).toBe(true);
  const web = new Blob(bytes).stream() as ReadableStream<Uint8Array>;
  const plain = { getReader: () => web.getReader() } as ReadableStream<Uint8Array>;
  expect(isByteStream(plain)).toBe(true);
  const read = [];
  for await (const chunk of chunksOf(plain)) read.push(...chunk);
  expect(read).toEqual([1, 2, 3]);
});
