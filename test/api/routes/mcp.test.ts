import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { ImageSanitizer } from '../../../client/index.ts';
import { scan } from '../../../src/metadata/scan.ts';
import { photoPicture } from '../../fixtures/raster.ts';
import { sampleFile } from '../../fixtures/samples.ts';
import { callService, freshNetwork, serviceFetch } from '../../fixtures/service.ts';

const baseUrl = 'https://service.test';
const operator = new ImageSanitizer({ baseUrl, apiKey: 'test-admin-token', fetch: serviceFetch });

let photo: Uint8Array<ArrayBuffer>;
let large: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  photo = await sampleFile('jpeg', photoPicture(24, 16, 3));
  large = await sampleFile('png', photoPicture(90, 70, 5));
});

/** The SDK's own client, connected as whoever the headers say, and the headers of its last answer. */
async function connected(headers: Record<string, string>) {
  const last: { headers?: Headers } = {};
  const transport = new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), {
    requestInit: { headers },
    fetch: async (url, init) => {
      const response = await serviceFetch(String(url), init ?? {});
      last.headers = response.headers;
      return response;
    },
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  const call = async (name: string, args: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: args })) as CallToolResult;
  return { client, call, last };
}

async function withKey(cap = 100) {
  const issued = await operator.issueKey({ plan: 'pro', monthly_billable_cap: cap });
  const headers = { Authorization: `Bearer ${issued.key}` };
  return { ...(await connected(headers)), issued, usage: () => operator.showKey(issued.key_id) };
}

const errorOf = (result: CallToolResult) => {
  expect(result.isError).toBe(true);
  const [content] = result.content;
  return JSON.parse(content?.type === 'text' ? content.text : '');
};

describe("driven by the SDK's own client", () => {
  test('it says who it is and lists its tools, unmetered', async () => {
    const { client, usage } = await withKey();
    expect(client.getServerVersion()).toMatchObject({ name: 'image-sanitizer', version: '1.0.0' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'sanitize_image',
      'detect_faces',
      'inspect_image',
      'get_usage',
    ]);
    for (const tool of tools) {
      expect(tool.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
      expect(tool.inputSchema.type).toBe('object');
      expect(tool.outputSchema?.type).toBe('object');
    }
    expect((await usage()).usage.calls).toBe(0);
  });

  test('sanitize_image gives the picture and the report; a long image is taken as it arrives', async () => {
    const { call, client } = await withKey();
    // With the list known, the SDK holds structured content against the output schema.
    await client.listTools();
    for (const image of [photo, large]) {
      const ops = { pixelate: { faces: false }, output: { format: 'png' } };
      const result = await call('sanitize_image', { image: image.toBase64(), ops });
      expect(result.isError).toBeUndefined();
      const [picture, text] = result.content;
      if (picture?.type !== 'image' || text?.type !== 'text') throw new Error('not an image and a text');
      expect(picture.mimeType).toBe('image/png');
      const bytes = Uint8Array.fromBase64(picture.data);
      expect(scan(bytes)).toMatchObject({ format: 'png', complete: true, blocks: [] });
      expect(result.structuredContent).toMatchObject({
        content_type: 'image/png',
        report: { bytes: bytes.length, metadataStripped: true },
      });
      expect(JSON.parse(text.text)).toEqual(result.structuredContent);
    }
    expect(large.toBase64().length).toBeGreaterThan(4096);
  });

  test('detect_faces, inspect_image and get_usage give what their endpoints give', async () => {
    const { call, issued } = await withKey();
    const image = `data:image/jpeg;base64,${photo.toBase64()}`;
    const nulls = { image, ops: { confidence: null, padding: null } };
    expect((await call('detect_faces', nulls)).structuredContent).toEqual({
      width: 24,
      height: 16,
      count: 0,
      faces: [],
    });
    const { structuredContent: facts } = await call('inspect_image', { image });
    const keyed = new ImageSanitizer({ baseUrl, apiKey: issued.key, fetch: serviceFetch });
    const { facts: _headers, ...same } = await keyed.inspect(photo);
    expect(facts).toEqual(same);
    expect((await call('get_usage', {})).structuredContent).toMatchObject({
      key_id: issued.key_id,
      calls: 3,
    });
  });
});

describe('metering', () => {
  test('counts image tools like their endpoints, and nothing else', async () => {
    const { call, usage, last, client } = await withKey();
    const image = photo.toBase64();
    await call('inspect_image', { image });
    expect(last.headers?.get('X-Service-Billable')).toBe('false');
    await call('inspect_image', { image });
    expect(last.headers?.get('X-Service-Billable')).toBe('true');
    expect(last.headers?.get('X-Service-Period-Cost-Cents')).toBe('0.4');
    await call('get_usage', {});
    await client.listTools();
    expect((await usage()).usage).toMatchObject({ calls: 2, billable_calls: 1 });
  });

  test('gives failed calls back', async () => {
    const { call, usage, last } = await withKey();
    const noImage = new TextEncoder().encode('no image').toBase64();
    expect(errorOf(await call('sanitize_image', { image: noImage }))).toMatchObject({
      error: 'unprocessable_image',
    });
    expect(last.headers?.get('X-RateLimit-Remaining')).toBe('60');
    expect((await usage()).usage).toMatchObject({ calls: 0, billable_calls: 0 });
  });

  test('refuses an anonymous second call in words that say how long to wait', async () => {
    const { call, last } = await connected({ 'CF-Connecting-IP': freshNetwork() });
    const image = photo.toBase64();
    expect((await call('inspect_image', { image })).isError).toBeUndefined();
    const error = errorOf(await call('inspect_image', { image }));
    expect(error).toMatchObject({
      error: 'rate_limit_exceeded',
      message: expect.stringContaining('60 seconds'),
    });
    expect(error.retry_after_seconds).toBeGreaterThan(0);
    expect(last.headers?.get('Retry-After')).toBe(String(error.retry_after_seconds));
  });

  test('refuses past the cap', async () => {
    const { call } = await withKey(1);
    const image = photo.toBase64();
    await call('inspect_image', { image });
    await call('inspect_image', { image });
    expect(errorOf(await call('inspect_image', { image }))).toMatchObject({ error: 'quota_exceeded' });
  });
});

describe('errors of tools', () => {
  test.each([
    ['sanitize_image', {}, 'bad_request'],
    ['sanitize_image', { image: null }, 'bad_request'],
    ['sanitize_image', { image: 7 }, 'bad_request'],
    ['sanitize_image', { image: 'not base64!' }, 'bad_request'],
    ['sanitize_image', { image: `${'A'.repeat(9000)}!` }, 'bad_request'],
    ['detect_faces', { image: 'https://example.org/a.jpg' }, 'bad_request'],
    ['inspect_image', { image_url: 'https://example.org/a.jpg' }, 'bad_request'],
    ['inspect_image', { image: 'AAAA', colour: 1 }, 'bad_request'],
    ['inspect_image', { image: 'AAAA', ops: {} }, 'bad_request'],
    ['get_usage', { image: 'AAAA' }, 'bad_request'],
    ['get_usage', {}, 'invalid_api_key'],
    ['inspect_image', { image: 'AAAA' }, 'unprocessable_image'],
  ])('%s with %.80j is %s', async (name, args, code) => {
    const { call } = await connected({ 'CF-Connecting-IP': freshNetwork() });
    expect(errorOf(await call(name, args))).toMatchObject({ error: code, docs: `${baseUrl}/docs#${code}` });
  });

  test('name every problem of the ops', async () => {
    const { call } = await withKey();
    const ops = { pixelate: { strength: 40 }, response: 'json' };
    const error = errorOf(await call('sanitize_image', { image: photo.toBase64(), ops }));
    expect(error.issues.map(({ path }: { path: string }) => path).sort()).toEqual([
      'pixelate.strength',
      'response',
    ]);
  });

  test('a tool that is not there is an error of the protocol', async () => {
    const { client } = await withKey();
    await expect(client.callTool({ name: 'publish' })).rejects.toThrow('There is no tool');
  });
});

describe('the connection', () => {
  const accept = { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' };
  const post = (body: string, headers: Record<string, string> = {}) =>
    callService('/mcp', { method: 'POST', headers: { ...accept, ...headers }, body });
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

  test('with a key that is unknown or revoked is 401', async () => {
    expect((await post(list, { Authorization: 'Bearer isk_nothing' })).status).toBe(401);
    const { key, key_id } = await operator.issueKey({ plan: 'pro' });
    await operator.revokeKey(key_id);
    const args = { image: photo.toBase64() };
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'inspect_image', arguments: args },
    };
    const answer = await post(JSON.stringify(call), { Authorization: `Bearer ${key}` });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ error: 'invalid_api_key' });
  });

  test.each([
    ['GET', 405],
    ['DELETE', 405],
  ])('has no streams and no sessions: %s is %i', async (method, status) => {
    const answer = await callService('/mcp', { method, headers: accept });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('Allow')).toBe('OPTIONS, POST');
  });

  test('takes one well-formed message a request', async () => {
    expect((await post(list)).status).toBe(200);
    expect((await post(`[${list}]`)).status).toBe(400);
    expect((await post('{"jsonrpc":')).status).toBe(400);
    expect((await post('')).status).toBe(400);
    expect((await post('{"jsonrpc":"1.0"}')).status).toBe(400);
    expect((await post(list, { Accept: 'application/json' })).status).toBe(406);
    expect((await post(list, { 'Content-Type': 'text/plain' })).status).toBe(415);
    expect((await post(list, { 'MCP-Protocol-Version': '1999-01-01' })).status).toBe(400);
    const notice = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect((await post(notice)).status).toBe(202);
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_usage","arguments":{"a":${deep}}}}`;
    expect(await (await post(call)).json()).toMatchObject({ result: { isError: true } });
  });
});
