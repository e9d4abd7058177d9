import * as z from 'zod';

/**
 * Messages of POST /mcp for the description: JSON-RPC 2.0 as the Model Context Protocol uses it, one message
 * per request (protocol revision 2025-06-18, Transports).
 */
const id = z.union([z.string(), z.int()]);
const version = z.literal('2.0');

export const jsonRpcMessageSchema = z
  .looseObject({
    jsonrpc: version,
    id: id.optional().describe('Absent in notifications.'),
    method: z.string().optional().describe('For instance `tools/call`.'),
    params: z.looseObject({}).optional(),
  })
  .describe('One JSON-RPC message. Batches are refused.');

export const jsonRpcResultSchema = z
  .strictObject({ jsonrpc: version, id, result: z.looseObject({}) })
  .describe('The result of a request. Failed tool calls are results too, with `isError`.');

export const jsonRpcErrorSchema = z
  .strictObject({
    jsonrpc: version,
    // The id of the message, even if it is not a valid one.
    id: z.union([z.string(), z.number()]).nullable().optional(),
    error: z.looseObject({ code: z.int(), message: z.string() }),
  })
  .describe('A message that could not be served.');
