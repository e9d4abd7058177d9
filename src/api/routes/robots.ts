import type { Context } from 'hono';
import type { Env } from '../env.ts';

/** A crawler gains nothing from calling the API; the pages and descriptions are for everyone. */
const text = `User-agent: *
Allow: /$
Allow: /docs
Allow: /llms.txt
Allow: /openapi.json
Allow: /v1/tools.json
Allow: /v1/pricing
Disallow: /v1/
Disallow: /mcp
`;

/** GET /robots.txt (RFC 9309). */
export function robotsRoute(c: Context<Env>): Response {
  return c.text(text, 200, { 'Cache-Control': 'public, max-age=3600' });
}
