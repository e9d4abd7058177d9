import { quoted } from '../body/body_errors.ts';
import type { ParsedJson } from '../body/parse_json.ts';
import { JsonRpcError, type MessageId } from './json_rpc_error.ts';

/** Where the ops of a tool call are in its message. */
const OPS_PATH = 'params.arguments.ops.';

/** Longest client text that an answer may repeat, such as an id or a method. */
const MAX_REPEATED = 4096;

/**
 * Checks what the SDK does not check, or answers with another code: that a body is one JSON-RPC 2.0 message,
 * that it names no member twice, and that texts repeated in answers are short.
 * @returns dotted paths of ops members that are named twice, to be reported to the model
 * @throws JsonRpcError
 */
export function checkMessage({ value, duplicates }: ParsedJson): string[] {
  if (!isRecord(value)) throw new JsonRpcError('invalidRequest', 'Expected a JSON object: one message.');
  const id = validId(value.id);
  if (value.jsonrpc !== '2.0') throw new JsonRpcError('invalidRequest', 'Expected "jsonrpc": "2.0".', id);
  if (value.id !== undefined && id === null)
    throw new JsonRpcError('invalidRequest', 'Expected the id to be a whole number or a text of up to 4 KB.');
  const { method } = value;
  if (typeof method !== 'string' && !('result' in value) && !('error' in value))
    throw new JsonRpcError('invalidRequest', 'Expected a "method", "result" or "error".', id);
  if (typeof method === 'string' && method.length > MAX_REPEATED)
    throw new JsonRpcError('invalidRequest', 'Expected a "method" of up to 4 KB.', id);
  const elsewhere = duplicates.filter((path) => !path.startsWith(OPS_PATH));
  if (elsewhere.length > 0)
    throw new JsonRpcError('invalidRequest', `The message holds ${quoted(elsewhere)} more than once.`, id);
  return duplicates.map((path) => path.slice(OPS_PATH.length));
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function validId(id: unknown): MessageId {
  if (typeof id === 'string') return id.length > MAX_REPEATED ? null : id;
  return Number.isSafeInteger(id) ? (id as number) : null;
}
