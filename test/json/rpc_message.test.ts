import { expect, it } from 'vitest';
import { duplicatesOfOps, messageFault } from '../../src/json/rpc_message.ts';

// What is refused is listed in test/api/mcp/check_message.test.ts.
it('refuses a message that names members twice, by their names, but leaves those of the ops', () => {
  const message = { jsonrpc: '2.0', id: 7, method: 'tools/call' };
  const duplicates = ['id', 'params.arguments.ops.output.quality'];
  expect(messageFault(message, duplicates)).toEqual({
    message: 'The message holds "id" more than once.',
    id: 7,
  });
  expect(messageFault(message, duplicates.slice(1))).toBeUndefined();
  expect(duplicatesOfOps(duplicates)).toEqual(['output.quality']);
});
