import { quoted } from './quoted.ts';

/** The id of a message; null if it has no valid one (JSON-RPC 2.0 section 5). */
export type MessageId = string | number | null;

/** Why a message is refused as an invalid request. */
export interface MessageFault {
  readonly message: string;
  readonly id: MessageId;
}

/** Where the ops of a tool call are in its message. */
const OPS_PATH = 'params.arguments.ops.';

/** Longest client text that an answer may repeat, such as an id or a method. */
const MAX_REPEATED = 4096;

/**
 * Checks what the SDK for the Model Context Protocol does not check, or answers with another code or not at
 * all: that a text is one JSON-RPC 2.0 message, that it names no member twice, and that texts repeated in
 * answers are short.
 * @param duplicates dotted paths of members that are named twice; those of ops are left to `duplicatesOfOps`
 */
export function messageFault(value: unknown, duplicates: readonly string[]): MessageFault | undefined {
  if (!isRecord(value)) return { message: 'Expected a JSON object: one message.', id: null };
  const id = validId(value.id);
  const fault = (message: string) => ({ message, id });
  if (value.jsonrpc !== '2.0') return fault('Expected "jsonrpc": "2.0".');
  if (value.id !== undefined && id === null)
    return fault('Expected the id to be a whole number or a text of up to 4 KB.');
  const { method } = value;
  if (typeof method !== 'string' && !('result' in value) && !('error' in value))
    return fault('Expected a "method", "result" or "error".');
  if (typeof method === 'string' && method.length > MAX_REPEATED)
    return fault('Expected a "method" of up to 4 KB.');
  const elsewhere = duplicates.filter((path) => !path.startsWith(OPS_PATH));
  return elsewhere.length > 0 ? fault(`The message holds ${quoted(elsewhere)} more than once.`) : undefined;
}

/** Dotted paths of ops members that are named twice, to be reported to the model. */
export const duplicatesOfOps = (duplicates: readonly string[]): string[] =>
  duplicates.filter((path) => path.startsWith(OPS_PATH)).map((path) => path.slice(OPS_PATH.length));

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function validId(id: unknown): MessageId {
  if (typeof id === 'string') return id.length > MAX_REPEATED ? null : id;
  return Number.isSafeInteger(id) ? (id as number) : null;
}
