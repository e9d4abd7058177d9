import type { Context, MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { responseHeaderNames } from '../answers/response_headers.ts';
import type { Env } from '../env.ts';

/** Headers of some endpoints, in addition to those of every response. */
const endpointHeaders = [
  'X-Service-Faces-Detected',
  'X-Service-Regions-Pixelated',
  'X-Request-Id',
  'traceparent',
  'Retry-After',
  'Content-Disposition',
  'Allow',
];

/** Request headers that clients of the Model Context Protocol send. */
const mcpHeaders = ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name', 'Mcp-Session-Id', 'Last-Event-ID'];

const SECONDS_PER_DAY = 86_400;

/** Names of all headers that scripts of other origins may read. */
export const exposedHeaders: readonly string[] = [...responseHeaderNames, ...endpointHeaders];

const anyOriginCors = cors({
  origin: '*',
  allowMethods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS'],
  allowHeaders: [
    'Authorization',
    'Content-Type',
    'Idempotency-Key',
    'traceparent',
    'tracestate',
    ...mcpHeaders,
  ],
  exposeHeaders: [...exposedHeaders],
  maxAge: SECONDS_PER_DAY,
});

/**
 * Middleware: any origin may call and read every header. Cookies and other ambient credentials are not used.
 * OPTIONS is left to the routes, so that addresses at which there is nothing are 404.
 */
export const anyOrigin: MiddlewareHandler<Env> = async (c, next) => {
  if (c.req.method !== 'OPTIONS') return anyOriginCors(c, next);
  c.res.headers.set('Access-Control-Allow-Origin', '*');
  return next();
};

/** The response to a preflight request. */
export async function preflight(c: Context<Env>): Promise<Response> {
  const response = await anyOriginCors(c, async () => {});
  return response ?? c.body(null, 204);
}
