import { headersWith, optionalHeader } from '../headers.ts';
import { operation } from '../operation.ts';
import { jsonResponse } from '../response_objects.ts';
import { schemaRef } from '../schemas.ts';
import { idempotencyKey } from './images.ts';

const toolList = (members: Record<string, unknown>, required: readonly string[]) => ({
  type: 'array',
  items: { type: 'object', properties: members, required },
});

const toolsSchema = {
  type: 'object',
  properties: {
    openai: toolList({ type: { const: 'function' }, function: { type: 'object' } }, ['type', 'function']),
    anthropic: toolList(
      { name: { type: 'string' }, description: { type: 'string' }, input_schema: { type: 'object' } },
      ['name', 'description', 'input_schema'],
    ),
  },
  required: ['openai', 'anthropic'],
  additionalProperties: false,
};

const call = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'get_usage', arguments: {} },
};

const jsonRpcOrError = { anyOf: [schemaRef('JsonRpcError'), schemaRef('Error')] };
const protocolError = (description: string) =>
  jsonResponse(
    description,
    jsonRpcOrError,
    {
      refused: {
        value: { jsonrpc: '2.0', error: { code: -32700, message: 'Parse error: Invalid JSON' }, id: null },
      },
    },
    'Cache-Control',
  );

export const machinePaths = {
  '/openapi.json': {
    get: operation({
      id: 'getOpenApi',
      tag: 'Machines',
      summary: 'This description',
      description: 'OpenAPI 3.1.',
      auth: 'none',
      responses: {
        200: jsonResponse(
          'The description.',
          {
            type: 'object',
            properties: {
              openapi: { type: 'string', pattern: '^3\\.1\\.\\d+$' },
              info: { type: 'object' },
              paths: { type: 'object' },
            },
            required: ['openapi', 'info', 'paths'],
          },
          { document: { value: { openapi: '3.1.1', info: {}, paths: {} } } },
        ),
      },
    }),
  },
  '/v1/tools.json': {
    get: operation({
      id: 'getTools',
      tag: 'Machines',
      summary: 'Tool definitions for language models',
      description:
        'The same tools in two shapes: for OpenAI (function calling, strict mode) and for Anthropic. Arguments named in ' +
        'the tools are the members of the JSON body; members that a strict model gives as `null` are left out.',
      auth: 'none',
      responses: {
        200: jsonResponse('The tools.', toolsSchema, {
          none: { summary: 'The shape, without tools', value: { openai: [], anthropic: [] } },
        }),
      },
    }),
  },
  '/mcp': {
    post: operation({
      id: 'callMcp',
      tag: 'Machines',
      summary: 'Model Context Protocol',
      description:
        'A stateless MCP server (streamable HTTP, answers in JSON) with the tools of `/v1/tools.json`. One message a ' +
        'request; `Accept` must name `application/json` and `text/event-stream`. Calls of the three image tools are ' +
        'metered exactly as their HTTP endpoints, and not billed when they fail; all else is free. A key that is unknown ' +
        'or revoked is refused with 401. Whatever else a tool call is refused for, rate limit and cap included, comes as ' +
        'a result with `isError` and the code, so that the model can read it.',
      auth: 'optional',
      parameters: [idempotencyKey],
      body: {
        required: true,
        content: {
          'application/json': { schema: schemaRef('JsonRpcMessage'), examples: { usage: { value: call } } },
        },
      },
      responses: {
        200: {
          ...jsonResponse(
            'The answer to a request.',
            { anyOf: [schemaRef('JsonRpcResult'), schemaRef('JsonRpcError')] },
            { result: { value: { jsonrpc: '2.0', id: 1, result: { content: [] } } } },
            'Cache-Control',
          ),
          headers: { ...headersWith('Cache-Control'), ...optionalHeader('Retry-After') },
        },
        202: { description: 'A notification was taken.', headers: headersWith('Cache-Control') },
        400: protocolError('No message of the protocol, or a batch.'),
        403: protocolError('The `Origin` is that of another page.'),
        404: protocolError('The protocol has no such method here.'),
        406: protocolError('`Accept` does not name both media types.'),
      },
      errors: [401, 413, 415, 429, 503],
    }),
  },
};
