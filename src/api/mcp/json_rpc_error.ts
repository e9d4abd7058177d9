import type { MessageId } from '../../json/rpc_message.ts';

/** Codes of JSON-RPC 2.0 section 5.1; `refused` is from the range that servers may define themselves. */
const codes = { parseError: -32700, invalidRequest: -32600, refused: -32000 } as const;

/** A message that is refused before its content is examined; answered by `response`. */
export class JsonRpcError extends Error {
  override readonly name = 'JsonRpcError';
  readonly code: number;
  readonly status: number;
  readonly id: MessageId;

  constructor(kind: keyof typeof codes, message: string, id: MessageId = null) {
    super(message);
    this.code = codes[kind];
    this.status = kind === 'refused' ? 403 : 400;
    this.id = id;
  }

  /**
   * The answer to a refused message as the Model Context Protocol defines it (Transports: streamable HTTP).
   */
  get response(): Response {
    const { code, message, id, status } = this;
    const headers = { 'Cache-Control': 'no-store' };
    return Response.json({ jsonrpc: '2.0', error: { code, message }, id }, { status, headers });
  }
}
