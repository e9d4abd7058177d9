import { describe, expect, it } from 'vitest';
import { checkMessage } from '../../../src/api/mcp/check_message.ts';
import { JsonRpcError } from '../../../src/api/mcp/json_rpc_error.ts';

const LONG = 'p'.repeat(4097);
const request = { jsonrpc: '2.0', id: 7, method: 'tools/call' };

const check = (value: unknown, duplicates: string[] = []) => checkMessage({ value, duplicates });

function refusal(value: unknown, duplicates?: string[]) {
  try {
    check(value, duplicates);
  } catch (error) {
    if (error instanceof JsonRpcError) return { code: error.code, id: error.id, status: error.status };
    throw error;
  }
  return undefined;
}

describe('checkMessage', () => {
  it.each([
    ['a request', request],
    ['a request with a text as its id', { ...request, id: 'x'.repeat(4096) }],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }],
    ['an icon', { ...request, params: { clientInfo: { icons: [{ src: LONG }] } } }],
  ])('takes %s', (_, value) => {
    expect(check(value)).toEqual([]);
  });

  it.each<[string, unknown, number | string | null]>([
    ['a text', 'tools/list', null],
    ['null', null, null],
    ['another version', { ...request, jsonrpc: '1.0' }, 7],
    ['no version', { id: 'a', method: 'ping' }, 'a'],
    ['no method', { jsonrpc: '2.0', id: 3 }, 3],
    ['an id that is null', { ...request, id: null }, null],
    ['an id with a fraction', { ...request, id: 1.5 }, null],
    ['an id that is an object', { ...request, id: {} }, null],
    ['an id of more than 4 KB', { ...request, id: LONG }, null],
    ['a long method', { ...request, method: LONG }, 7],
  ])('refuses %s as an invalid request', (_, value, id) => {
    expect(refusal(value)).toEqual({ code: -32600, id, status: 400 });
  });

  it('refuses members that are named twice, but leaves those of the ops to the tool', () => {
    expect(refusal(request, ['id'])).toEqual({ code: -32600, id: 7, status: 400 });
    expect(refusal(request, ['params.arguments.ops.a', 'params.arguments.image'])).toBeDefined();
    expect(check(request, ['params.arguments.ops.output.quality'])).toEqual(['output.quality']);
  });
});
