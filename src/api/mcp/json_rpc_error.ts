/** Codes of JSON-RPC 2.0 section 5.1; `refused` is of the range that servers may use as they like. */
const codes = { parseError: -32700, invalidRequest: -32600, refused: -32000 } as const;

/** The id of a message, as far as there is a valid one (JSON-RPC 2.0 section 5: otherwise null). */
export type MessageId = string | number | null;

/** A message that is refused before any of its content is looked at; answered by `response`. */
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

  /** As the Model Context Protocol answers messages that it does not take (Transports: streamable HTTP). */
  get response(): Response {
    const { code, message, id, status } = this;
    const headers = { 'Cache-Control': 'no-store' };
    return Response.json({ jsonrpc: '2.0', error: { code, message }, id }, { status, headers });
  }
}
