import type { Context } from 'hono';
import type { Env } from '../env.ts';
import { type OpenApiDocument, openApiDocument } from '../openapi/document.ts';

let latest: { readonly origin: string; readonly document: OpenApiDocument } | undefined;

/** GET /openapi.json: the description of this deployment at the requested origin. */
export function openApiRoute(c: Context<Env>): Response {
  const { origin } = new URL(c.req.url);
  if (latest?.origin !== origin) latest = { origin, document: openApiDocument(origin) };
  return c.json(latest.document);
}
