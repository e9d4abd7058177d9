import {
  type CallToolResult,
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Context } from 'hono';
import { base64Between } from '../answers/envelope.ts';
import { ApiError, errorBody, toApiError } from '../answers/errors.ts';
import { publicOrigin } from '../answers/public_origin.ts';
import { streamedBody } from '../answers/streamed_body.ts';
import { admitCall, type MeteredCall } from '../billing/metering.ts';
import { badRequest } from '../body/body_errors.ts';
import { parseHeaderValue } from '../body/header_value.ts';
import { refuseDuplicates } from '../body/ops_json.ts';
import { countedCallerOf } from '../caller/caller.ts';
import type { Env } from '../env.ts';
import { checkMessage } from '../mcp/check_message.ts';
import { checkOrigin } from '../mcp/check_origin.ts';
import { JsonRpcError } from '../mcp/json_rpc_error.ts';
import { readMessage } from '../mcp/read_message.ts';
import { runTool, type TakeImage, type ToolResult } from '../mcp/run_tool.ts';
import { type CallTool, mcpServer } from '../mcp/server.ts';
import { receiveBody, sharingOf } from '../receive_upload.ts';

/**
 * POST /mcp: the Model Context Protocol over streamable HTTP, stateless, one message per request, responses
 * in JSON.
 *
 * Calls of image tools are metered like the HTTP endpoints, and refunded if the tool fails or its response
 * can't be made. A body that is not a message of the protocol is answered with a JSON-RPC error. An unknown
 * or revoked key is a fault of the connection and answered with 401. Every other error of a call is for the
 * model to read, so it is a result with `isError`.
 *
 * Images are never held as text: their base64 is decoded while the request is read, and encoded chunk by
 * chunk while the response is sent.
 */
export function mcpRoute(c: Context<Env>): Promise<Response> {
  const response = respond(c).catch((error: unknown) => {
    if (error instanceof JsonRpcError) return error.response;
    throw error;
  });
  // Without this, the handler would stop where it stands when the client disconnects, and its memory would
  // never be released.
  c.executionCtx.waitUntil(response.catch(() => {}));
  return response;
}

async function respond(c: Context<Env>): Promise<Response> {
  checkOrigin(c.req.raw, c.env);
  await countedCallerOf(c);
  requireJson(c.req.raw.headers);
  const admission = new Admission(c);
  try {
    return await answer(c, admission);
  } catch (error) {
    await admission.end(error instanceof JsonRpcError ? error.status : toApiError(error).status);
    throw error;
  }
}

/**
 * The admission of the call that a message may contain. It is requested when a tool is called, or earlier,
 * when a longer image arrives than is read without admission.
 */
class Admission {
  readonly #c: Context<Env>;
  #call: Promise<MeteredCall> | undefined;

  constructor(c: Context<Env>) {
    this.#c = c;
  }

  /** @throws ApiError as `admitCall`, the same each time */
  async admit(): Promise<void> {
    this.#call ??= admitCall(this.#c);
    await this.#call;
  }

  /** As `MeteredCall.end`; does nothing if no call was admitted. */
  async end(status: number): Promise<void> {
    const call = await this.#call?.catch(() => undefined);
    await call?.end(status);
  }
}

/** Status for an admitted message that turns out not to be a metered call: it is refunded. */
const NO_CALL = 400;

async function answer(c: Context<Env>, admission: Admission): Promise<Response> {
  const request = c.req.raw;
  using received = await receiveBody(request, await sharingOf(c), (sink, gate, drop) => {
    const refusal = (error: unknown) => {
      drop();
      return toApiError(error);
    };
    return readMessage(request, sink, gate, () => admission.admit().then(() => undefined, refusal));
  });
  const { body, memory } = received;
  const opsDuplicates = checkMessage(body);
  const takeImage: TakeImage = () => {
    if (!body.image?.length) throw body.imageError ?? badRequest('"image" is empty.');
    return received.image;
  };
  // Valid base64, since the SDK checks image data, and random, so that nothing else can match it.
  const placeholder = crypto.randomUUID().replaceAll('-', '');
  let image: ToolResult['image'];
  let callError: ApiError | undefined;
  let isCounted = false;
  const callTool: CallTool = async (tool, args) => {
    try {
      isCounted = tool.metered;
      if (tool.metered) await admission.admit();
      refuseDuplicates(opsDuplicates);
      const result = await runTool(c, tool.name, args, takeImage, memory);
      image = result.image;
      return callResult(result, placeholder);
    } catch (thrown) {
      callError = toApiError(thrown);
      c.set('refusal', callError.code);
      return errorResult(c, callError);
    }
  };

  try {
    const sdkResponse = await exchange(request, body.value, () => mcpServer(callTool, c.env.DETECTORS));
    if (callError?.code === 'invalid_api_key' && request.headers.has('Authorization')) throw callError;
    const response = await responseWithImage(c, sdkResponse, placeholder, image, callError);
    await admission.end(isCounted ? (callError?.status ?? response.status) : NO_CALL);
    return response;
  } catch (error) {
    image?.[Symbol.dispose]();
    throw error;
  }
}

/**
 * Lets the SDK answer one message: by the current revision of the protocol, or by an older one for clients
 * from 2025 and before.
 */
async function exchange(request: Request, message: unknown, createServer: () => Server): Promise<Response> {
  if (!(await isLegacyRequest(request, message))) {
    // Tools send nothing before their result, so the response is always one JSON body.
    const options = { legacy: 'reject', responseMode: 'auto', maxSubscriptions: 0 } as const;
    const handler = createMcpHandler(createServer, options);
    return handler.fetch(request, { parsedBody: message });
  }
  const server = createServer();
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}

/** @throws ApiError unsupported_media_type */
function requireJson(headers: Headers): void {
  const { value } = parseHeaderValue(headers.get('Content-Type') ?? '');
  if (value !== 'application/json')
    throw new ApiError('unsupported_media_type', 'Expected application/json: one JSON-RPC message.');
}

function callResult({ structured, image }: ToolResult, placeholder: string): CallToolResult {
  const text = { type: 'text' as const, text: JSON.stringify(structured) };
  const content = image
    ? [{ type: 'image' as const, data: placeholder, mimeType: image.mediaType }, text]
    : [text];
  return { content, structuredContent: structured };
}

function errorResult(c: Context<Env>, error: ApiError): CallToolResult {
  const docs = `${publicOrigin(c)}/docs#${error.code}`;
  const body = errorBody(error, c.get('requestId'), docs);
  return { content: [{ type: 'text', text: JSON.stringify(body) }], isError: true };
}

/**
 * The SDK's response with the image's base64 in place of the placeholder, streamed from the image's memory.
 */
async function responseWithImage(
  c: Context<Env>,
  sdkResponse: Response,
  placeholder: string,
  image: ToolResult['image'],
  callError: ApiError | undefined,
): Promise<Response> {
  const headers = new Headers({ 'Cache-Control': 'no-store' });
  const type = sdkResponse.headers.get('Content-Type');
  if (type) headers.set('Content-Type', type);
  const retryAfter = callError?.extras.retryAfterSeconds;
  if (retryAfter !== undefined) headers.set('Retry-After', String(retryAfter));
  const { status } = sdkResponse;
  if (!image) return new Response(sdkResponse.body, { status, headers });
  const text = await sdkResponse.text();
  const [head = '', tail] = text.split(placeholder);
  if (tail === undefined) {
    image[Symbol.dispose]();
    return new Response(text, { status, headers });
  }
  const body = streamedBody(c, image, base64Between(head, image.bytes, tail));
  return new Response(body, { status, headers });
}
