import { Buffer } from 'node:buffer';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBareRuntime } from '../fixtures/bare_runtime.ts';
import { issueKey, startLocalWorker, TEST_SECRETS } from '../fixtures/local_worker.ts';
import { haveTools } from '../fixtures/tools.ts';

/**
 * Every refusal reaches the client, however much of the body is still on its way: through wrangler's
 * development server with its proxies, and from workerd itself.
 */

const MEGABYTE = 1024 * 1024;
const sizes = [1, 26, 60];

interface Refusal {
  readonly name: string;
  readonly path: string;
  readonly type: string;
  /** Written over the beginning of the body. */
  readonly start?: string;
  /** The status of a body of so many megabytes, whose length is declared or not. */
  readonly status: (megabytes: number, declared: boolean) => number;
  readonly anonymous?: true;
}

const always = (status: number) => () => status;
/** Above 25 MB a declared or counted length refuses first. */
const under25 = (status: number) => (megabytes: number) => (megabytes > 25 ? 413 : status);

const refusals: readonly Refusal[] = [
  { name: 'no image', path: '/v1/inspect', type: 'image/png', status: under25(422) },
  {
    name: 'an address in the query',
    path: '/v1/detect?image_url=x',
    type: 'image/png',
    status: always(400),
  },
  { name: 'an unknown type', path: '/v1/sanitize', type: 'text/plain', status: always(415) },
  {
    name: 'JSON that is no base64',
    path: '/v1/inspect',
    type: 'application/json',
    start: '{"image":"!',
    status: (megabytes, declared) => (declared && megabytes > 42 ? 413 : 400),
  },
  {
    name: 'a form with an unknown part',
    path: '/v1/inspect',
    type: 'multipart/form-data; boundary=B',
    start: '--B\r\nContent-Disposition: form-data; name="x"\r\n\r\n',
    status: (megabytes, declared) => (declared && megabytes > 27 ? 413 : 400),
  },
  { name: 'a method', path: '/v1/usage', type: 'application/json', status: always(405) },
  { name: 'nothing there', path: '/nowhere', type: 'application/json', status: always(404) },
  { name: 'an unknown type for /mcp', path: '/mcp', type: 'text/plain', status: always(415) },
  {
    name: 'text that is too long for /mcp',
    path: '/mcp',
    type: 'application/json',
    start: `{"a":"${'A'.repeat(5000)}","b":"`,
    status: (megabytes) => (megabytes > 1 ? 413 : 400),
  },
  ...['image/png', 'application/json', 'multipart/form-data; boundary=B'].map((type) => ({
    name: `a second anonymous call with ${type}`,
    path: '/v1/inspect',
    type,
    status: always(429),
    anonymous: true as const,
  })),
];

function bodyOf({ start = '' }: Refusal, megabytes: number): Buffer<ArrayBuffer> {
  const body = Buffer.alloc(megabytes * MEGABYTE, 0x41);
  body.write(start);
  return body;
}

/** What came back, as `<status> <error code>`. */
type Send = (url: string, headers: Record<string, string>, body: Buffer<ArrayBuffer>) => Promise<string>;

const folder = mkdtempSync(join(tmpdir(), 'refusals-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const outcomeOf = (status: number, text: string): string => {
  const body = JSON.parse(text);
  const error = typeof body.error === 'string' ? body.error : `JSON-RPC ${body.error.code}`;
  return `${status} ${error}`;
};

const byFetch: Send = async (url, headers, body) => {
  const answer = await fetch(url, { method: 'POST', headers, body });
  return outcomeOf(answer.status, await answer.text());
};

/** On a connection of its own: one that was kept alive may close before the request arrives. */
const byNewConnection: Send = (url, headers, body) =>
  new Promise((done, fail) => {
    const length = { 'Content-Length': body.length };
    request(url, { method: 'POST', headers: { ...headers, ...length }, agent: false }, (answer) => {
      text(answer).then((read) => done(outcomeOf(answer.statusCode!, read)), fail);
    })
      .on('error', fail)
      .end(body);
  });

let written: Buffer<ArrayBuffer> | undefined;

/** Where a body lies for curl; written once for all the ways of sending it. */
function fileOf(body: Buffer<ArrayBuffer>): string {
  const file = join(folder, 'body');
  if (written !== body) writeFileSync(file, body);
  written = body;
  return file;
}

const byCurl =
  (...more: string[]): Send =>
  async (url, headers, body) => {
    const file = fileOf(body);
    const fields = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
    const curl = spawn('curl', [
      ...['-sS', '--max-time', '50', '-w', '\n%{http_code}', '--data-binary', `@${file}`],
      ...fields,
      ...more,
      url,
    ]);
    let output = '';
    curl.stdout.on('data', (text) => (output += text));
    curl.stderr.on('data', (text) => (output += text));
    const code = await new Promise((done) => curl.once('close', done));
    if (code !== 0) return `curl failed with ${code}: ${output}`;
    const end = output.lastIndexOf('\n');
    return outcomeOf(Number(output.slice(end + 1)), output.slice(0, end));
  };

const hasCurl = haveTools('curl');

const clients: readonly (readonly [string, Send])[] = [
  ['fetch', byFetch],
  ...(hasCurl
    ? ([
        ['curl', byCurl()],
        ['curl that does not wait', byCurl('-H', 'Expect:')],
        ['curl in chunks', byCurl('-H', 'Expect:', '-H', 'Transfer-Encoding: chunked')],
      ] as const)
    : []),
];

const runtimes = {
  'the development server': async () => {
    const worker = await startLocalWorker();
    return { address: worker.address, stop: () => worker[Symbol.asyncDispose]() };
  },
  'bare workerd': async () => {
    const settings = { ...TEST_SECRETS, MEMORY_BUDGET_MB: '128' };
    const runtime = await startBareRuntime('src/index.ts', ['enable_request_signal'], settings);
    return { address: `http://127.0.0.1:${runtime.port}`, stop: () => runtime[Symbol.asyncDispose]() };
  },
};

describe.each(Object.entries(runtimes))('through %s', (_runtime, start) => {
  let address: string;
  let stop: () => PromiseLike<void>;
  let key: string;
  beforeAll(async () => {
    ({ address, stop } = await start());
    key = await issueKey(address);
  }, 120_000);
  afterAll(() => stop?.());

  test.each(refusals)('$name is refused with an answer', { timeout: 300_000 }, async (refusal) => {
    const { path, type, status, anonymous } = refusal;
    // The one free call of an anonymous caller, so that each further one is over the rate limit.
    if (anonymous)
      await fetch(address + path, {
        method: 'POST',
        body: onePixelGif,
        headers: { 'Content-Type': 'image/gif' },
      });
    const authorization = anonymous ? {} : { Authorization: `Bearer ${key}` };
    const lost: string[] = [];
    for (const megabytes of sizes) {
      const body = bodyOf(refusal, megabytes);
      for (const [client, send] of clients) {
        const outcome = await send(address + path, { 'Content-Type': type, ...authorization }, body).catch(
          (error: Error) => `${error.message}: ${(error.cause as Error | undefined)?.message}`,
        );
        const expected = status(megabytes, !client.includes('chunks'));
        if (!outcome.startsWith(`${expected} `))
          lost.push(`${megabytes} MB by ${client}: ${outcome}, expected ${expected}`);
      }
    }
    expect(lost).toEqual([]);
  });

  test('of many large uploads at once each gets an answer, 503 included', { timeout: 300_000 }, async () => {
    const body = bodyOf(refusals[0]!, 24);
    const headers = { 'Content-Type': 'image/png', Authorization: `Bearer ${key}` };
    const sent = Array.from({ length: 60 }, () => byNewConnection(`${address}/v1/inspect`, headers, body));
    const outcomes = (await Promise.allSettled(sent)).map((one) =>
      one.status === 'fulfilled' ? one.value : `lost: ${one.reason.message}`,
    );
    expect(outcomes.filter((outcome) => !/^(422 unprocessable_image|503 overloaded)$/.test(outcome))).toEqual(
      [],
    );
    expect(outcomes).toHaveLength(60);
  });
});

/** The smallest GIF that has a pixel. */
const onePixelGif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
