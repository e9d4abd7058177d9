import type { Context } from 'hono';
import type { Env } from '../env.ts';

/** Crawlers may read the pages and the descriptions; calling the API gains them nothing. */
const text = `User-agent: *
Allow: /$
Allow: /docs
Allow: /llms.txt
Allow: /openapi.json
Allow: /v1/tools.json
Allow: /v1/pricing
Disallow: /v1/
Disallow: /mcp
Disallow: /metrics
`;

/** GET /robots.txt (RFC 9309). */
export function robotsRoute(c: Context<Env>): Response {
  return c.text(text, 200, { 'Cache-Control': 'public, max-age=3600' });
}
