import type { Buffer } from 'node:buffer';
import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { type JsonFault, type ParsedJson, parseJson } from '../../json/parse.ts';
import { duplicatesOfOps, type MessageId, messageFault } from '../../json/rpc_message.ts';

/** A message that may be passed on to the SDK. */
interface Message {
  readonly id: MessageId;
  /** Dotted paths of members of a tool's ops that are named twice. */
  readonly opsDuplicates: readonly string[];
}

/**
 * The id of a message that ends with it, as many clients write messages: the last brace closes the message.
 */
const LAST_ID = /"id":\s*(\d{1,15}|"[\w-]{1,64}")\s*\}\s*$/;

/** The JSON of an error. @param id as JSON */
export function errorLine(code: number, message: string, id = 'null'): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code, message })}}\n`;
}

/** A line that is not parsed. */
class LineError extends Error {
  readonly why: JsonFault;

  constructor(message: string, why: JsonFault) {
    super(message);
    this.why = why;
  }
}

/**
 * Reads a line as `/mcp` reads a body. The SDK does not answer what is no message, so that clients would wait
 * for ever; it takes the last of members that are named twice, and needs seconds for 200,000 of them.
 * @returns the message; the answer to what is none; undefined for a blank line
 */
export function readLine(line: Buffer): Message | { readonly answer: string } | undefined {
  const text = line.toString('utf8');
  if (text.trim() === '') return undefined;
  let parsed: ParsedJson;
  try {
    parsed = parseJson(text, { what: 'The message', fault: (message, why) => new LineError(message, why) });
  } catch (error) {
    if (!(error instanceof LineError)) throw error;
    const isSize = error.why === 'size';
    const id = isSize ? LAST_ID.exec(line.toString('latin1', line.length - 128))?.[1] : undefined;
    const code = isSize ? ProtocolErrorCode.InvalidRequest : ProtocolErrorCode.ParseError;
    return { answer: errorLine(code, error.message, id) };
  }
  const { value, duplicates } = parsed;
  const fault = messageFault(value, duplicates);
  if (fault) {
    const id = JSON.stringify(fault.id);
    return { answer: errorLine(ProtocolErrorCode.InvalidRequest, fault.message, id) };
  }
  const { id = null } = value as { id?: MessageId };
  return { id, opsDuplicates: duplicatesOfOps(duplicates) };
}
