import {
  type CallToolResult,
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Context } from 'hono';
import { badRequest } from '../body/body_errors.ts';
import { parseHeaderValue } from '../body/header_value.ts';
import { reservedToRead } from '../body/receive.ts';
import { callerOf } from '../caller.ts';
import type { Env } from '../env.ts';
import { base64Between } from '../envelope.ts';
import { ApiError, errorBody, toApiError } from '../errors.ts';
import { imageFromBase64, readLifted } from '../mcp/extract_image.ts';
import { runTool, type ToolResult } from '../mcp/run_tool.ts';
import { type CallTool, mcpServer } from '../mcp/server.ts';
import { metered } from '../metering.ts';
import { isolateRuntime } from '../runtime.ts';
import { streamedBody } from '../streamed_body.ts';
import type { Tool } from '../tools.ts';

/**
 * POST /mcp: the Model Context Protocol over streamable HTTP, stateless, one message a request, answers in
 * JSON.
 *
 * Calls of image tools are metered by the very middleware of the HTTP endpoints, and given back when they
 * fail. A key that is unknown or revoked is the connection's trouble and answered with 401; whatever else a
 * call is refused for is the model's to read, so it comes as a result with `isError`.
 *
 * Images are never held as text: base64 is decoded as it arrives, and written piece by piece as it leaves.
 */
export function mcpRoute(c: Context<Env>): Promise<Response> {
  const answer = answered(c);
  // Without this the handler stops where it stands when the client resets the line, and nobody gives its
  // memory back.
  c.executionCtx.waitUntil(answer.catch(() => {}));
  return answer;
}

async function answered(c: Context<Env>): Promise<Response> {
  if ((await callerOf(c)).kind === 'refused')
    throw new ApiError('invalid_api_key', 'This API key is unknown.');
  requireJson(c.req.raw.headers);
  // Base64 itself, since the SDK checks that image data is; and not to be guessed, so that nothing else is
  // taken for it.
  const placeholder = crypto.randomUUID().replaceAll('-', '');
  using memory = await reservedToRead(c.req.raw, isolateRuntime(c.env).budget, 'outside');
  const body = await readLifted(c.req.raw, placeholder);
  const held = (body.image?.length ?? 0) + body.textBytes;
  memory.shrinkTo(held, held);
  if (Array.isArray(body.value)) throw badRequest('Expected one JSON-RPC message but received a batch.');

  const imageOf = (argument: string): Uint8Array => {
    if (argument !== placeholder) return imageFromBase64(argument);
    if (body.image === undefined) throw body.fault ?? badRequest('The image is empty.');
    return body.image;
  };
  let picture: ToolResult['image'];
  let refused: ApiError | undefined;
  const callTool: CallTool = async (tool, given) => {
    try {
      const result = await counted(c, tool, () => runTool(c, tool.name, given, imageOf, memory));
      picture = result.image;
      return callResult(result, placeholder);
    } catch (thrown) {
      refused = toApiError(thrown);
      return errorResult(c, refused);
    }
  };

  try {
    const answer = await exchange(c.req.raw, body.value, () => mcpServer(callTool));
    if (refused?.code === 'invalid_api_key' && c.req.raw.headers.has('Authorization')) throw refused;
    return await finished(c, answer, placeholder, picture, refused);
  } catch (error) {
    picture?.[Symbol.dispose]();
    throw error;
  }
}

/**
 * One message and its answer, by the present revision of the protocol or, for clients of 2025 and before, by
 * theirs.
 */
async function exchange(request: Request, message: unknown, serve: () => Server): Promise<Response> {
  if (!(await isLegacyRequest(request, message))) {
    // Tools say nothing before their result, so the answer is always one JSON body.
    const handler = createMcpHandler(serve, { legacy: 'reject', responseMode: 'auto', maxSubscriptions: 0 });
    return handler.fetch(request, { parsedBody: message });
  }
  const server = serve();
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

/** Runs a tool; one that is metered as one call of the service, given back when it throws. */
async function counted(c: Context<Env>, tool: Tool, work: () => Promise<ToolResult>): Promise<ToolResult> {
  if (!tool.metered) return work();
  let result: ToolResult | undefined;
  try {
    await metered(c, async () => {
      result = await work();
    });
  } catch (error) {
    result?.image?.[Symbol.dispose]();
    throw error;
  }
  if (!result) throw new ApiError('internal_error');
  return result;
}

function callResult({ structured, image }: ToolResult, placeholder: string): CallToolResult {
  const text = { type: 'text' as const, text: JSON.stringify(structured) };
  const content = image
    ? [{ type: 'image' as const, data: placeholder, mimeType: image.mediaType }, text]
    : [text];
  return { content, structuredContent: structured };
}

function errorResult(c: Context<Env>, error: ApiError): CallToolResult {
  const docs = `${new URL(c.req.url).origin}/docs#${error.code}`;
  const body = errorBody(error, c.get('requestId'), docs);
  return { content: [{ type: 'text', text: JSON.stringify(body) }], isError: true };
}

/** The SDK's answer with the picture in its place, which it is read from. */
async function finished(
  c: Context<Env>,
  answer: Response,
  placeholder: string,
  picture: ToolResult['image'],
  refused: ApiError | undefined,
): Promise<Response> {
  const headers = new Headers({ 'Cache-Control': 'no-store' });
  const type = answer.headers.get('Content-Type');
  if (type) headers.set('Content-Type', type);
  const retryAfter = refused?.extras.retryAfterSeconds;
  if (retryAfter !== undefined) headers.set('Retry-After', String(retryAfter));
  const { status } = answer;
  if (!picture) return new Response(answer.body, { status, headers });
  const text = await answer.text();
  const [head = '', tail] = text.split(placeholder);
  if (tail === undefined) {
    picture[Symbol.dispose]();
    return new Response(text, { status, headers });
  }
  const body = streamedBody(c, picture, base64Between(head, picture.bytes, tail));
  return new Response(body, { status, headers });
}
