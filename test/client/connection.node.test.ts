import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ImageSanitizer, type Retry, SanitizerError } from '../../client/index.ts';

/** What the server does with one request after the other; the last for all that follow. */
type Act = (response: ServerResponse, request: IncomingMessage) => void;

let server: Server;
let client: ImageSanitizer;
let acts: Act[] = [];
const received: { headers: IncomingMessage['headers']; url: string; body: Buffer }[] = [];
const retries: Retry[] = [];

const facts = { 'X-Service-Plan': 'pro', 'X-Request-Id': 'r', 'Content-Type': 'application/json' };
const serve: Act = (response) => void response.writeHead(200, facts).end('{"format":"png"}');
const hangUp: Act = (response) => void response.destroy();
const breakOff: Act = (response) => {
  response.writeHead(200, { ...facts, 'Content-Length': '100' }).write('{"format":');
  setTimeout(() => response.destroy(), 20);
};
const refuse =
  (status: number, more = {}): Act =>
  (response) =>
    void response
      .writeHead(status, facts)
      .end(JSON.stringify({ error: 'overloaded', message: 'No.', ...more }));

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const act = acts[Math.min(received.length, acts.length - 1)];
    received.push({ headers: request.headers, url: request.url ?? '', body: Buffer.concat(chunks) });
    act?.(response, request);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const baseUrl = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : ''}`;
  const retry = { firstWaitMs: 1, onRetry: (each: Retry) => retries.push(each) };
  client = new ImageSanitizer({ baseUrl, retry });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  received.length = 0;
  retries.length = 0;
});

const image = new Uint8Array(200_000).map((_, i) => i * 7);
const keys = () => received.map(({ headers }) => headers['idempotency-key']);

describe('broken connections', () => {
  test('are tried again under one idempotency key, which the client makes', async () => {
    acts = [hangUp, hangUp, serve];
    expect(await client.inspect(image)).toMatchObject({ format: 'png' });
    expect(received).toHaveLength(3);
    expect(new Set(keys()).size).toBe(1);
    expect(keys()[0]).toMatch(/^"[0-9a-f]{32}"$/);
    expect(retries.map(({ error }) => error.code)).toEqual(['network_error', 'network_error']);
  });

  test('each call has a key of its own, or the one that is given', async () => {
    acts = [serve];
    await client.inspect(image);
    await client.inspect(image, {}, {});
    await client.inspect(image, {}, { idempotencyKey: 'mine' });
    expect(new Set(keys()).size).toBe(3);
    expect(keys()[2]).toBe('"mine"');
  });

  test('end the call after three attempts', async () => {
    acts = [hangUp];
    await expect(client.health()).rejects.toMatchObject({ code: 'network_error' });
    expect(received).toHaveLength(3);
  });

  test('an answer that breaks off is asked for again', async () => {
    acts = [breakOff, serve];
    expect(await client.inspect(image)).toMatchObject({ format: 'png' });
    expect(keys()[0]).toBe(keys()[1]);
  });

  test('of a call that would issue a second key are not tried again, whatever its options say', async () => {
    acts = [hangUp];
    const issued = client.issueKey({ plan: 'pro' }, { idempotencyKey: 'mine' });
    await expect(issued).rejects.toMatchObject({ code: 'network_error' });
    expect(received).toHaveLength(1);
    await expect(client.revokeKey(`key_${'0'.repeat(24)}`)).rejects.toMatchObject({ code: 'network_error' });
    expect(received).toHaveLength(4);
  });
});

describe('a timeout', () => {
  test('ends a call to a server that hangs, before or in its answer', async () => {
    const hangs: Act[] = [() => {}, (response) => void response.writeHead(200, facts).write('{"format":')];
    for (const act of hangs) {
      acts = [act];
      const call = client.inspect(image, {}, { timeout: 100 });
      const error: SanitizerError = await call.catch((thrown) => thrown);
      expect(error).toBeInstanceOf(SanitizerError);
      expect(error).toMatchObject({ code: 'timeout', status: 0 });
      expect(error.message).toContain('100 ms');
    }
  });

  test('of the client holds for calls without one, and the caller’s signal beside it', async () => {
    acts = [() => {}];
    const { port } = server.address() as { port: number };
    const hasty = new ImageSanitizer({ baseUrl: `http://127.0.0.1:${port}`, timeout: 50 });
    await expect(hasty.health()).rejects.toMatchObject({ code: 'timeout' });
    const stop = new AbortController();
    const call = hasty.health({ timeout: 60_000, signal: stop.signal });
    await expect.poll(() => received.length).toBe(2);
    stop.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
  });

  test('does not wait for a retry that it would not see', async () => {
    acts = [refuse(503, { retry_after_seconds: 60 }), serve];
    const call = client.health({ timeout: 5_000, retry: { longestWaitMs: 90_000 } });
    await expect(call).rejects.toMatchObject({ code: 'overloaded', status: 503 });
    expect(received).toHaveLength(1);
  });
});

const webStream = () => new Blob([image]).stream() as ReadableStream<Uint8Array>;
const nodeStream = () => Readable.from([image.subarray(0, 70_000), image.subarray(70_000)]);

describe('a stream as the image', () => {
  test.each([
    ['of the web', webStream],
    ['of Node', nodeStream],
  ])('%s is sent as its bytes, with progress', async (_, stream) => {
    acts = [serve];
    const told: { sent: number; total: number }[] = [];
    const onProgress = (each: { sent: number; total: number }) => told.push(each);
    await client.inspect(stream(), { values: true }, { onProgress });
    expect(received[0]?.body.equals(image)).toBe(true);
    expect(received[0]).toMatchObject({
      headers: { 'content-type': 'image/*', 'transfer-encoding': 'chunked' },
    });
    expect(received[0]?.url).toContain('?ops=');
    expect(told.at(-1)).toEqual({ sent: image.length, total: Number.POSITIVE_INFINITY });
  });

  test('is sent in a form where the ops are long', async () => {
    acts = [serve];
    const regions = Array.from({ length: 100 }, (_, x) => ({ x, y: 2, w: 3, h: 4 }));
    await client.sanitize(nodeStream(), { pixelate: { regions } });
    const { headers, body } = received[0]!;
    const form = await new Response(body, {
      headers: { 'Content-Type': headers['content-type']! },
    }).formData();
    expect(JSON.parse(form.get('ops') as string)).toEqual({ pixelate: { regions } });
    expect(Buffer.from(await (form.get('image') as File).arrayBuffer()).equals(image)).toBe(true);
  });

  test('that was read is not sent again, and the error says so', async () => {
    for (const act of [refuse(503), hangUp, refuse(429, { retry_after_seconds: 0 })]) {
      received.length = 0;
      acts = [act, serve];
      await expect(client.inspect(nodeStream())).rejects.toThrow('not repeated, since its image is a stream');
      expect(received).toHaveLength(1);
    }
    expect(retries).toEqual([]);
  });

  test('that was not read is sent again', async () => {
    acts = [serve];
    let calls = 0;
    const options = { baseUrl: 'http://service.test', retry: { firstWaitMs: 1 } };
    const unlucky = new ImageSanitizer({
      ...options,
      fetch: async (_url, init) => {
        if (++calls === 1) throw new TypeError('no connection');
        const body = Buffer.from(await new Response(init.body as ReadableStream).arrayBuffer());
        return Response.json({ format: 'png', whole: body.equals(image) }, { headers: facts });
      },
    });
    expect(await unlucky.inspect(nodeStream())).toMatchObject({ whole: true });
    expect(calls).toBe(2);
  });

  test('that fails rejects with its own error, and one of text with words', async () => {
    acts = [serve];
    const failing = async function* () {
      yield image.subarray(0, 10);
      throw new Error('the disk is gone');
    };
    await expect(client.inspect(failing())).rejects.toThrow('the disk is gone');
    const text = Readable.from(['text']) as AsyncIterable<never>;
    await expect(client.inspect(text)).rejects.toThrow(
      'Expected the stream to give Uint8Arrays but received string',
    );
  });

  test('is let go when the call ends, however it ends', async () => {
    acts = [refuse(400)];
    const stream = nodeStream();
    const closed = new Promise((done) => stream.on('close', done));
    await client.inspect(stream).catch(() => {});
    await closed;
    expect(stream.destroyed).toBe(true);
  });
});

test('in a browser a stream is read first: there fetch may send its name instead', async () => {
  const platform = globalThis as { XMLHttpRequest?: unknown };
  platform.XMLHttpRequest = class {};
  try {
    acts = [refuse(503), serve];
    await client.inspect(webStream());
    expect(received.map(({ body }) => body.equals(image))).toEqual([true, true]);
    expect(received[0]?.headers['content-length']).toBe(String(image.length));
  } finally {
    delete platform.XMLHttpRequest;
  }
});

test('an image in another form is refused with words', async () => {
  for (const other of ['photo.jpg', { image: 1 }, null, undefined])
    await expect(client.inspect(other as never)).rejects.toThrow('Expected image to be a Blob');
});
