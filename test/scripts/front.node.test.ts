import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createFront } from '../../scripts/serve/front/front.mjs';
import { Pool } from '../../scripts/serve/front/pool.mjs';
import { ApiError, refusedResponse, reportedNetwork } from '../../src/api/own_server/front.ts';
import type { ErrorCode } from '../../src/ops/error_body.ts';

const folder = mkdtempSync(join(tmpdir(), 'front-'));
/** What stands for a process with pictures. */
let process_: Server;
let handle: (request: IncomingMessage, response: ServerResponse) => void;
const socketPath = join(folder, 'process');
const closing: (() => void)[] = [];

beforeAll(async () => {
  process_ = createServer((request, response) => handle(request, response)).listen(socketPath);
  await once(process_, 'listening');
});
afterEach(() => {
  for (const close of closing.splice(0)) close();
});
afterAll(() => {
  process_.closeAllConnections();
  process_.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Options {
  readonly pool?: Pool;
  readonly mostConnections?: number;
  readonly mostOfOne?: number;
  readonly headMs?: number;
  readonly isProxied?: boolean;
}

/** A front, and its port. */
async function startFront({ pool, isProxied, ...options }: Options = {}) {
  const places = pool ?? new Pool();
  if (!pool) places.add(socketPath);
  const front = createFront({
    pool: places,
    mostConnections: 100,
    refusalResponse: ({ code, message, extras }: { code: string; message: string; extras: object }) =>
      refusedResponse(new ApiError(code as ErrorCode, message, extras), { PUBLIC_ORIGIN: 'https://a.test' }),
    networkOfSocket: () => '',
    networkOfRequest: isProxied
      ? (headers: IncomingHttpHeaders) => reportedNetwork(String(headers['x-real-ip'] ?? ''))
      : undefined,
    ...options,
  });
  front.server.listen(0, '127.0.0.1');
  await once(front.server, 'listening');
  closing.push(() => {
    front.server.closeAllConnections();
    front.server.close();
  });
  return { front, pool: places, port: (front.server.address() as AddressInfo).port };
}

/** A connection that notes what comes; `closed` resolves when it is closed. */
function client(port: number) {
  const socket: Socket = connect(port, '127.0.0.1');
  const state = { socket, received: '', isClosed: false, closed: Promise.resolve() };
  socket.on('data', (bytes) => {
    state.received += bytes.toString('latin1');
  });
  socket.on('error', () => {});
  state.closed = new Promise((done) =>
    socket.once('close', () => {
      state.isClosed = true;
      done();
    }),
  );
  closing.push(() => socket.destroy());
  return state;
}

/** What comes for a request until the connection is closed. */
async function answerTo(port: number, text: string): Promise<string> {
  const sent = client(port);
  sent.socket.write(text, 'latin1');
  await sent.closed;
  return sent.received;
}

const answered = (text: string) => /^HTTP\/1\.1 (\d+)/.exec(text)?.[1];
const GET = 'GET /v1/health HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n';
const echo = (request: IncomingMessage, response: ServerResponse) => {
  response.setHeader('X-Service-Retention', 'none');
  response.end(JSON.stringify([request.method, request.url, request.headers]));
};

describe('what the runtime would refuse in a form of its own', () => {
  test('braces, quotes and the like in a query are encoded, as curl sends them unencoded', async () => {
    handle = echo;
    const { port } = await startFront();
    const text =
      'POST /v1/sanitize?ops={"crop":[1]}|`^\\<> HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n';
    expect(await answerTo(port, text)).toContain(
      '["POST","/v1/sanitize?ops=%7b%22crop%22:[1]%7d%7c%60%5e%5c%3c%3e"',
    );
    const absolute = GET.replace('/v1', 'http://a.test/v1');
    expect(await answerTo(port, absolute)).toContain('["GET","/v1/health"');
  });

  const head = (line: string, ...headers: string[]) =>
    `${[line, ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`;
  const HOST = 'Host: a.test';
  test.each([
    ['an unknown method', head('FOO / HTTP/1.1', HOST), 405, 'method_not_allowed'],
    ['a method that no address has', head('PROPFIND / HTTP/1.1', HOST), 405, 'method_not_allowed'],
    ['CONNECT', head('CONNECT a.test:443 HTTP/1.1', HOST), 405, 'method_not_allowed'],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc', 405, 'method_not_allowed'],
    ['no Host', head('GET / HTTP/1.1', 'Accept: */*'), 400, 'bad_request'],
    ['two hosts', head('GET / HTTP/1.1', HOST, HOST), 400, 'bad_request'],
    ['a host with a path', head('GET / HTTP/1.1', 'Host: a.test/b'), 400, 'bad_request'],
    ['an address that is none', head('OPTIONS * HTTP/1.1', HOST), 400, 'bad_request'],
    ['a header without a name', head('GET / HTTP/1.1', HOST, ': x'), 400, 'bad_request'],
    ['another version of HTTP', head('GET / HTTP/1.3', HOST), 400, 'bad_request'],
    ['a long query', head(`GET /?${'a'.repeat(130_000)} HTTP/1.1`, HOST), 400, 'bad_request'],
    ['a query long once encoded', head(`GET /?${'{'.repeat(40_000)} HTTP/1.1`, HOST), 400, 'bad_request'],
    [
      'a length beside chunks',
      head('POST / HTTP/1.1', HOST, 'Content-Length: 3', 'Transfer-Encoding: chunked'),
      400,
      'bad_request',
    ],
    [
      'a broken chunk',
      `${head('POST / HTTP/1.1', HOST, 'Transfer-Encoding: chunked')}xyz\r\n`,
      400,
      'bad_request',
    ],
    [
      'a body of gigabytes',
      head('POST / HTTP/1.1', HOST, 'Content-Length: 9999999999'),
      413,
      'payload_too_large',
    ],
  ])('%s is answered as the service answers', async (_, text, status, code) => {
    handle = () => {};
    const { port } = await startFront();
    const answer = await answerTo(port, text);
    const [lines = '', body = ''] = answer.split('\r\n\r\n');
    expect([answered(answer), JSON.parse(body).error]).toEqual([String(status), code]);
    expect(lines).toMatch(/^x-service-retention: none$/im);
    expect(lines).toMatch(/^x-request-id: [0-9a-f-]{36}$/im);
    expect(lines).toMatch(/^content-type: application\/json$/im);
    if (status === 405) expect(lines).toMatch(/^allow: DELETE, GET, HEAD, OPTIONS, PATCH, POST$/im);
  });
});

test('headers of one connection are not passed on, neither those that Connection names', async () => {
  handle = echo;
  const { port } = await startFront();
  const extra = 'Connection: close, X-Mine\r\nX-Mine: 1\r\nTE: trailers\r\nUpgrade: h2c\r\nX-Other: \xe4';
  const answer = await answerTo(port, GET.replace('Connection: close', extra));
  const body = Buffer.from(answer.slice(answer.indexOf('[')), 'latin1');
  const [, , headers] = JSON.parse(String(body));
  expect(headers).toEqual({ host: 'a.test', connection: 'close', 'x-other': 'ä' });
});

test('the body of a GET is not passed on: who reads none closes before it has come', async () => {
  handle = (request, response) => response.end(`${request.headers['content-length']}`);
  const { port } = await startFront();
  const text = GET.replace('Connection', 'Content-Length: 3\r\nConnection');
  expect(await answerTo(port, `${text}abc`)).toMatch(/undefined$/);
});

describe('a client', () => {
  test.each(['FIN', 'RST'])('that goes by %s ends its call', async (kind) => {
    const { port } = await startFront();
    const gone = new Promise<void>((done) => {
      handle = (_, response) => response.once('close', done);
    });
    const one = client(port);
    const begun = once(process_, 'request');
    one.socket.write(GET);
    await begun;
    if (kind === 'FIN') one.socket.end();
    else one.socket.resetAndDestroy();
    await gone;
  });

  test('that sends many requests ahead has one answered at a time, and can not send any number', async () => {
    const { port } = await startFront();
    let [open, most, served] = [0, 0, 0];
    handle = (_, response) => {
      most = Math.max(most, ++open);
      setTimeout(() => {
        open--;
        served++;
        response.end();
      }, 5);
    };
    const request = GET.replace('Connection: close\r\n', '');
    const polite = client(port);
    polite.socket.write(request.repeat(9) + GET);
    await polite.closed;
    expect([served, most]).toEqual([10, 1]);
    const rude = client(port);
    rude.socket.write(request.repeat(1000));
    await rude.closed;
    expect(served).toBeLessThan(30);
  });

  test('that begins no request, or does not end its head, is not waited for', async () => {
    handle = echo;
    const { port } = await startFront({ headMs: 100 });
    const silent = client(port);
    const slow = client(port);
    slow.socket.write('GET / HTTP/1.1\r\nHost: a');
    await Promise.all([silent.closed, slow.closed]);
    expect(silent.received).toBe('');
    expect(answered(slow.received)).toBe('400');
    expect(slow.received).toContain('"error":"bad_request"');
  });

  test('has its answer although it is still sending what nobody reads', async () => {
    handle = (_, response) => response.end('early');
    const { port } = await startFront();
    const one = client(port);
    one.socket.write('POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 3000000\r\n\r\n');
    await expect.poll(() => one.received).toContain('early');
    expect(one.received).toMatch(/^connection: close\r$/im);
    one.socket.write(Buffer.alloc(3_000_000));
    await one.closed;
  });
});

describe('connections', () => {
  const POST = 'POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 9\r\n\r\n';

  test('without a call make room for new ones, the oldest first', async () => {
    handle = echo;
    const { port } = await startFront({ mostConnections: 2 });
    const idle = [client(port), client(port)];
    await Promise.all(idle.map(({ socket }) => once(socket, 'connect')));
    expect(answered(await answerTo(port, GET))).toBe('200');
    await idle[0]!.closed;
    expect(idle[1]!.isClosed).toBe(false);
  });

  test('with half a request make room where no other is without a call', async () => {
    const { port } = await startFront({ mostConnections: 2 });
    const responses: ServerResponse[] = [];
    handle = (_, response) => void responses.push(response);
    for (const text of [GET, `${POST}abc`]) {
      const begun = once(process_, 'request');
      client(port).socket.write(text);
      await begun;
    }
    const gone = once(responses[1]!, 'close');
    handle = echo;
    expect(answered(await answerTo(port, GET))).toBe('200');
    await gone;
    expect(responses[0]!.closed).toBe(false);
  });

  test('beyond the bound are closed while all others have a call at work', async () => {
    const { port } = await startFront({ mostConnections: 2 });
    const responses: ServerResponse[] = [];
    handle = (_, response) => void responses.push(response);
    const working = [client(port), client(port)];
    for (const { socket } of working) {
      const begun = once(process_, 'request');
      socket.write(GET);
      await begun;
    }
    const late = client(port);
    await late.closed;
    for (const response of responses) response.end('done');
    await Promise.all(working.map(({ closed }) => closed));
    expect(working.map(({ received }) => answered(received))).toEqual(['200', '200']);
  });

  test('behind a proxy are bounded by the network that it reports', async () => {
    const { port } = await startFront({ isProxied: true, mostOfOne: 2 });
    const responses: ServerResponse[] = [];
    handle = (_, response) => void responses.push(response);
    const from = (address: string) => GET.replace('Host', `X-Real-IP: ${address}\r\nHost`);
    const own = [client(port), client(port)];
    for (const [index, { socket }] of own.entries()) {
      const begun = once(process_, 'request');
      socket.write(from(`2001:db8::${index}`));
      await begun;
    }
    const third = await answerTo(port, from('2001:db8::3'));
    expect([answered(third), /retry-after: 2/i.test(third)]).toEqual(['503', true]);
    handle = (_, response) => response.end();
    expect(answered(await answerTo(port, from('2001:db8:1::1')))).toBe('200');
    for (const response of responses) response.end();
    await Promise.all(own.map(({ closed }) => closed));
    expect(answered(await answerTo(port, from('2001:db8::3')))).toBe('200');
  });
});

describe('a process', () => {
  test('that ends with a call leaves a 503 in the form of the service', async () => {
    handle = (request) => request.socket.destroy();
    const { port } = await startFront();
    const answer = await answerTo(port, GET);
    expect([answered(answer), answer.includes('"error":"overloaded"')]).toEqual(['503', true]);
  });

  test('that is not there yet is waited for', async () => {
    handle = echo;
    const pool = new Pool();
    const { port } = await startFront({ pool });
    const answer = answerTo(port, GET);
    await new Promise((later) => setTimeout(later, 50));
    pool.add(socketPath);
    expect(answered(await answer)).toBe('200');
  });
});

test('a front that stops ends its calls, and takes none', async () => {
  const { front, port } = await startFront();
  let response: ServerResponse | undefined;
  handle = (_, begun) => {
    response = begun;
  };
  const [idle, busy] = [client(port), client(port)];
  await once(idle.socket, 'connect');
  const begun = once(process_, 'request');
  busy.socket.write(GET.replace('Connection: close\r\n', ''));
  await begun;
  const closed = once(front.server, 'close');
  front.stop();
  await idle.closed;
  response?.end('done');
  await Promise.all([busy.closed, closed]);
  expect(busy.received).toMatch(/connection: close[\s\S]*done$/i);
});
