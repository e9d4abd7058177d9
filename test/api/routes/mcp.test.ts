import { beforeAll, describe, expect, test } from 'vitest';
import { connected, connectedWithKey, errorOf, operator } from '../../fixtures/mcp_client.ts';
import { photoPicture } from '../../fixtures/raster.ts';
import { sampleFile } from '../../fixtures/samples.ts';
import { callService, freshNetwork } from '../../fixtures/service.ts';

let photo: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  photo = await sampleFile('jpeg', photoPicture(24, 16, 3));
});

describe('metering of /mcp', () => {
  test('counts calls of image tools like their endpoints, and nothing else', async () => {
    const { call, usage, last, client } = await connectedWithKey();
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

  test('refunds failed calls', async () => {
    const { call, usage, last } = await connectedWithKey();
    const noImage = new TextEncoder().encode('no image').toBase64();
    expect(errorOf(await call('sanitize_image', { image: noImage }))).toMatchObject({
      error: 'unprocessable_image',
    });
    expect(last.headers?.get('X-RateLimit-Remaining')).toBe('60');
    expect((await usage()).usage).toMatchObject({ calls: 0, billable_calls: 0 });
  });

  test('refuses a second anonymous call with the time to wait', async () => {
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

  test('refuses calls beyond the cap', async () => {
    const { call } = await connectedWithKey(1);
    const image = photo.toBase64();
    await call('inspect_image', { image });
    await call('inspect_image', { image });
    expect(errorOf(await call('inspect_image', { image }))).toMatchObject({ error: 'quota_exceeded' });
  });
});

describe('POST /mcp', () => {
  const accept = { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' };
  const post = (body: string, headers: Record<string, string> = {}) =>
    callService('/mcp', { method: 'POST', headers: { ...accept, ...headers }, body });
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

  test('is 401 with an unknown or revoked key', async () => {
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

  test('accepts one valid message per request', async () => {
    expect((await post(list)).status).toBe(200);
    expect((await post(list, { Accept: 'application/json' })).status).toBe(406);
    expect((await post(list, { 'Content-Type': 'text/plain' })).status).toBe(415);
    expect((await post(list, { 'MCP-Protocol-Version': '1999-01-01' })).status).toBe(400);
    const notice = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect((await post(notice)).status).toBe(202);
  });

  test.each([
    ['no JSON', '{"jsonrpc":', -32700, null],
    ['nothing', '', -32700, null],
    ['a batch', `[${list},${list}]`, -32600, null],
    ['nesting', `{"jsonrpc":"2.0","id":1,"params":${'['.repeat(5000)}`, -32700, null],
    ['many values', `{"jsonrpc":"2.0","id":1,"params":[${'1,'.repeat(50_000)}1]}`, -32700, null],
    ['another version', '{"jsonrpc":"1.0","id":"a","method":"ping"}', -32600, 'a'],
    ['an id over 4 KB', `{"jsonrpc":"2.0","id":"${'i'.repeat(5000)}","method":"ping"}`, -32600, null],
    ['a method over 4 KB', `{"jsonrpc":"2.0","id":5,"method":"${'m'.repeat(5000)}"}`, -32600, 5],
    ['a member named twice', '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', -32600, 2],
  ])('answers %s with a JSON-RPC error', async (_, body, code, id) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({
      jsonrpc: '2.0',
      error: { code, message: expect.any(String) },
      id,
    });
  });

  /** A call with more of an image than is taken of anybody, its name after it. */
  const largeCall = (name: string) =>
    `{"params":{"arguments":{"image":"${new Uint8Array(150_000).toBase64()}"},"name":"${name}"},` +
    '"jsonrpc":"2.0","id":"late","method":"tools/call"}';

  test('refuses a caller before more of an image is taken, with the id that comes after it', async () => {
    const network = { 'CF-Connecting-IP': freshNetwork() };
    const first = await post(largeCall('inspect_image'), network);
    expect(await first.json()).toMatchObject({ id: 'late', result: { isError: true } });
    const small = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'inspect_image', arguments: { image: photo.toBase64() } },
    });
    expect((await post(small, network)).status).toBe(200);
    const second = await post(largeCall('inspect_image'), network);
    expect(second.headers.get('Retry-After')).toMatch(/^\d+$/);
    const { id, result } = (await second.json()) as { id: string; result: Parameters<typeof errorOf>[0] };
    expect(id).toBe('late');
    expect(errorOf(result)).toMatchObject({ error: 'rate_limit_exceeded' });
  });

  test('gives the place back where a large message turns out to be no call that counts', async () => {
    const { key } = await operator.issueKey({ plan: 'pro' });
    const Authorization = `Bearer ${key}`;
    for (const body of [largeCall('get_usage'), largeCall('publish'), largeCall('get_usage').slice(0, -1)]) {
      await (await post(body, { Authorization })).text();
    }
    const usage = await callService('/v1/usage', { headers: { Authorization } });
    expect(usage.headers.get('X-RateLimit-Remaining')).toBe('60');
    expect(await usage.json()).toMatchObject({ calls: 0 });
  });

  test('echoes an id of 4 KB', async () => {
    const id = 'i'.repeat(4096);
    const answer = await post(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' }));
    expect(await answer.json()).toMatchObject({ id, result: {} });
  });

  test('refuses pages of other origins with a JSON-RPC error', async () => {
    expect((await post(list, { Origin: 'https://service.test' })).status).toBe(200);
    expect((await post(list, { Origin: 'http://localhost:6274' })).status).toBe(200);
    const answer = await post(list, { Origin: 'https://elsewhere.test' });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32000 }, id: null });
  });

  test('offers only revisions that it serves in full, none with batches', async () => {
    const initialize = async (protocolVersion: string) => {
      const clientInfo = { name: 'test', version: '1' };
      const params = { protocolVersion, capabilities: {}, clientInfo };
      const answer = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }));
      return ((await answer.json()) as { result: { protocolVersion: string } }).result.protocolVersion;
    };
    expect(await initialize('2025-11-25')).toBe('2025-11-25');
    expect(await initialize('2025-06-18')).toBe('2025-06-18');
    expect(await initialize('2025-03-26')).toBe('2025-11-25');
    expect(await initialize('2024-11-05')).toBe('2025-11-25');
    expect((await post(list, { 'MCP-Protocol-Version': '2025-06-18' })).status).toBe(200);
    const refused = await post(list, { 'MCP-Protocol-Version': '2025-03-26' });
    expect(refused.status).toBe(400);
    expect(await refused.text()).not.toContain('2025-03-26,');
  });

  test('leaves ops that name a member twice to the model', async () => {
    const args = `{"image":"${photo.toBase64()}","ops":{"output":{"quality":90,"quality":30}}}`;
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sanitize_image","arguments":${args}}}`;
    const { key } = await operator.issueKey({ plan: 'pro' });
    const answer = await post(call, { Authorization: `Bearer ${key}` });
    const { result } = (await answer.json()) as { result: Parameters<typeof errorOf>[0] };
    expect(errorOf(result)).toMatchObject({
      error: 'invalid_ops',
      issues: [{ path: 'output.quality', code: 'duplicate_name' }],
    });
  });

  test('gives documented errors for methods of the current protocol that it does not support', async () => {
    const sent: { headers: Headers; body: Record<string, unknown> }[] = [];
    const { client } = await connected({ 'CF-Connecting-IP': freshNetwork() }, 'auto', (init) => {
      sent.push({ headers: new Headers(init.headers), body: JSON.parse(String(init.body)) });
    });
    await client.listTools();
    const { headers, body } = sent.find((request) => request.body.method === 'tools/list')!;
    const say = (method: string, changed: Record<string, string> = {}, more: object = {}) => {
      const params = { ...(body.params as object), ...more };
      const all = new Headers(headers);
      for (const [name, value] of Object.entries({ 'mcp-method': method, ...changed })) all.set(name, value);
      return callService('/mcp', {
        method: 'POST',
        headers: all,
        body: JSON.stringify({ ...body, method, params }),
      });
    };
    expect((await say('tools/list')).status).toBe(200);
    expect((await say('prompts/list')).status).toBe(404);
    const listen = await say('subscriptions/listen', {}, { notifications: { toolsListChanged: true } });
    expect(listen.headers.get('Content-Type')).toBe('application/json');
    expect(await listen.json()).toHaveProperty('error');
    expect((await say('tools/list', { 'mcp-method': 'tools/call' })).status).toBe(400);
    expect((await say('tools/list', { 'mcp-protocol-version': '2031-01-01' })).status).toBe(400);
  });
});
