import { cors } from 'hono/cors';
import { responseHeaderNames } from './response_headers.ts';

/** Headers of single endpoints, beside the set that every response carries. */
const endpointHeaders = [
  'X-Service-Faces-Detected',
  'X-Service-Regions-Pixelated',
  'X-Request-Id',
  'Retry-After',
  'Content-Disposition',
  'Allow',
];

/** Sent by clients of the Model Context Protocol. */
const protocolHeaders = ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name', 'Mcp-Session-Id', 'Last-Event-ID'];

const SECONDS_OF_A_DAY = 86_400;

/** Any origin may call and read every header; no credentials are ever sent or taken. */
export const anyOrigin = cors({
  origin: '*',
  allowMethods: ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'],
  allowHeaders: ['Authorization', 'Content-Type', ...protocolHeaders],
  exposeHeaders: [...responseHeaderNames, ...endpointHeaders],
  maxAge: SECONDS_OF_A_DAY,
});
