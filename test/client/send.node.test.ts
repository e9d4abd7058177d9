import { createServer, type IncomingMessage, type Server } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ImageSanitizer } from '../../client/index.ts';
import { type OutgoingRequest, send, type UploadProgress } from '../../client/send.ts';

let server: Server;
let url: string;
const received: { headers: IncomingMessage['headers']; bytes: number }[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    let bytes = 0;
    request.on('data', (chunk: Uint8Array) => {
      bytes += chunk.length;
    });
    request.on('end', () => {
      received.push({ headers: request.headers, bytes });
      response.writeHead(200, { 'X-Service-Plan': 'pro' }).end('served');
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : ''}/`;
});
afterAll(() => server.close());

const outgoing = (more: Partial<OutgoingRequest>): OutgoingRequest => ({
  method: 'POST',
  url,
  headers: { 'Content-Type': 'image/png' },
  body: new Blob([new Uint8Array(300_000)]),
  signal: undefined,
  onProgress: undefined,
  ...more,
});

describe('over a real connection, by Node’s fetch', () => {
  test('the whole body arrives, with and without progress', async () => {
    const told: UploadProgress[] = [];
    const onProgress = (progress: UploadProgress) => told.push(progress);
    for (const more of [{}, { onProgress }]) {
      const answer = await send(outgoing(more), undefined);
      expect(await answer.text()).toBe('served');
      expect(received.at(-1)).toMatchObject({ bytes: 300_000, headers: { 'content-type': 'image/png' } });
    }
    expect(told.length).toBeGreaterThan(1);
    expect(told.at(-1)).toEqual({ sent: 300_000, total: 300_000 });
  });

  test('an unreachable server is a network_error', async () => {
    const client = new ImageSanitizer({ baseUrl: 'http://127.0.0.1:1', retry: { firstWaitMs: 1 } });
    await expect(client.health()).rejects.toMatchObject({ code: 'network_error' });
  });
});

/** The part of a browser's XMLHttpRequest that is used; it responds at once. */
class FakeXhr {
  static last: FakeXhr;
  static fails = false;
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  onload = () => {};
  onerror = () => {};
  onabort = () => {};
  response = new TextEncoder().encode('served').buffer;
  status = 200;
  statusText = 'OK';
  readonly calls: unknown[][] = [];
  constructor() {
    FakeXhr.last = this;
  }
  open = (...args: unknown[]) => this.calls.push(args);
  setRequestHeader = (...args: unknown[]) => this.calls.push(args);
  getAllResponseHeaders = () => 'x-service-plan: pro\r\ncontent-type: text/plain\r\n';
  abort = () => this.onabort();
  send(body: Blob) {
    this.upload.onprogress?.({ loaded: body.size, total: body.size });
    if (FakeXhr.fails) this.onerror();
    else setTimeout(() => this.onload(), 20);
  }
}

describe('with XMLHttpRequest', () => {
  const platform = globalThis as { XMLHttpRequest?: unknown };
  const inBrowser = () => {
    platform.XMLHttpRequest = FakeXhr;
  };
  afterEach(() => {
    delete platform.XMLHttpRequest;
    FakeXhr.fails = false;
  });

  test('it uploads with progress, and returns a Response', async () => {
    inBrowser();
    const told: UploadProgress[] = [];
    const answer = await send(outgoing({ onProgress: (progress) => told.push(progress) }), undefined);
    expect(told).toEqual([{ sent: 300_000, total: 300_000 }]);
    expect(FakeXhr.last.calls).toEqual([
      ['POST', url],
      ['Content-Type', 'image/png'],
    ]);
    expect(answer.headers.get('X-Service-Plan')).toBe('pro');
    expect(await answer.text()).toBe('served');
  });

  test('it aborts with the signal’s reason, and fails like fetch', async () => {
    inBrowser();
    const stop = new AbortController();
    const sent = send(outgoing({ onProgress: () => {}, signal: stop.signal }), undefined);
    stop.abort(new Error('enough'));
    await expect(sent).rejects.toThrow('enough');
    FakeXhr.fails = true;
    await expect(send(outgoing({ onProgress: () => {} }), undefined)).rejects.toThrow(TypeError);
  });
});
