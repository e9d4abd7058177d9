import { cors } from 'hono/cors';
import { responseHeaderNames } from './response_headers.ts';

/** Headers of some endpoints, in addition to those of every response. */
const endpointHeaders = [
  'X-Service-Faces-Detected',
  'X-Service-Regions-Pixelated',
  'X-Request-Id',
  'Retry-After',
  'Content-Disposition',
  'Allow',
];

/** Request headers that clients of the Model Context Protocol send. */
const mcpHeaders = ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name', 'Mcp-Session-Id', 'Last-Event-ID'];

const SECONDS_PER_DAY = 86_400;

/** Any origin may call and read every header. Cookies and other ambient credentials are not used. */
export const anyOrigin = cors({
  origin: '*',
  allowMethods: ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'],
  allowHeaders: ['Authorization', 'Content-Type', ...mcpHeaders],
  exposeHeaders: [...responseHeaderNames, ...endpointHeaders],
  maxAge: SECONDS_PER_DAY,
});
