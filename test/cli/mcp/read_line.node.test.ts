import { Buffer } from 'node:buffer';
import { expect, it } from 'vitest';
import { readLine } from '../../../src/cli/mcp/read_line.ts';

const read = (line: string) => readLine(Buffer.from(line));

function refusal(line: string) {
  const found = read(line);
  if (!found || !('answer' in found)) throw new Error(`Taken: ${line}`);
  expect(found.answer.endsWith('\n')).toBe(true);
  const { id, error } = JSON.parse(found.answer);
  return [id, error.code];
}

it.each<[string, string, number | string | null, number]>([
  ['what is no JSON', '{nope}', null, -32700],
  ['a byte order mark', '\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}', null, -32700],
  ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', null, -32600],
  ['an id that is null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', null, -32600],
  ['an id beyond all numbers', '{"jsonrpc":"2.0","id":1e400,"method":"ping"}', null, -32600],
  ['no version', '{"id":1,"method":"ping"}', 1, -32600],
  ['an id twice', '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', 2, -32600],
  [
    'a path twice',
    '{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"arguments":{"path":"a","path":"b"}}}',
    'a',
    -32600,
  ],
  ['deep nesting', `{"params":${'['.repeat(99)}${']'.repeat(99)},"id":44}`, 44, -32600],
])('answers %s, for which the client would wait', (_, line, id, code) => {
  expect(refusal(line)).toEqual([id, code]);
});

it('passes messages on, and tells which members of the ops are named twice', () => {
  const ops = '{"grayscale":true,"grayscale":false}';
  const call = `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"arguments":{"ops":${ops}}}}`;
  expect(read(`${call}\r\n`)).toEqual({ id: 8, opsDuplicates: ['grayscale'] });
  expect(read('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')).toEqual({
    id: null,
    opsDuplicates: [],
  });
  expect(read(' \r\n')).toBeUndefined();
});
