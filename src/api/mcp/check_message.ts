import { quoted } from '../body/body_errors.ts';
import type { ExtractedBody } from './extract_image.ts';
import { JsonRpcError, type MessageId } from './json_rpc_error.ts';

/** Where the ops of a tool call are in its message. */
const OPS_PATH = 'params.arguments.ops.';

/** Members below which a long text is never repeated in an answer: icons may be data URLs. */
const CLIENT_INFO = /(?:^|\/)clientInfo$/;

/**
 * Checks what the SDK does not, or answers with another code: that a body is one JSON-RPC 2.0 message, that
 * it names no member twice, and that the long text which the placeholder stands for is the image.
 * @returns dotted paths of members of the ops that are named twice, which is for the model to read
 * @throws JsonRpcError
 */
export function checkMessage({ value, duplicates }: ExtractedBody, placeholder: string): string[] {
  if (Array.isArray(value))
    throw new JsonRpcError('invalidRequest', 'Expected one message but received a batch.');
  if (!isRecord(value)) throw new JsonRpcError('invalidRequest', 'Expected a JSON object: one message.');
  const id = validId(value.id, placeholder);
  if (isMisplaced(value, placeholder)) {
    const message = 'Only the image, params.arguments.image, may be a text of more than 4 KB.';
    throw new JsonRpcError('invalidRequest', message, id);
  }
  if (value.jsonrpc !== '2.0') throw new JsonRpcError('invalidRequest', 'Expected "jsonrpc": "2.0".', id);
  if (value.id !== undefined && id === null)
    throw new JsonRpcError('invalidRequest', 'Expected the id to be a text or a whole number.');
  if (typeof value.method !== 'string' && !('result' in value) && !('error' in value))
    throw new JsonRpcError('invalidRequest', 'Expected a "method", "result" or "error".', id);
  const elsewhere = duplicates.filter((path) => !path.startsWith(OPS_PATH));
  if (elsewhere.length > 0)
    throw new JsonRpcError('invalidRequest', `The message holds ${quoted(elsewhere)} more than once.`, id);
  return duplicates.map((path) => path.slice(OPS_PATH.length));
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function validId(id: unknown, placeholder: string): MessageId {
  if (typeof id === 'string') return id === placeholder ? null : id;
  return Number.isSafeInteger(id) ? (id as number) : null;
}

/**
 * Whether the placeholder is where an answer could repeat it: as a name, or as any value but the image.
 * Iterative, so that hostile nesting can't exhaust the stack.
 */
function isMisplaced(message: Record<string, unknown>, placeholder: string): boolean {
  const { params } = message;
  const args = isRecord(params) ? params.arguments : undefined;
  const open: object[] = [message];
  for (let object = open.pop(); object; object = open.pop()) {
    for (const [name, member] of Object.entries(object)) {
      if (name === placeholder) return true;
      if (member === placeholder && !(object === args && name === 'image')) return true;
      if (typeof member === 'object' && member !== null && !CLIENT_INFO.test(name)) open.push(member);
    }
  }
  return false;
}
