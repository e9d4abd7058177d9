import type { Context } from 'hono';
import { publicOrigin } from '../answers/public_origin.ts';
import type { Env } from '../env.ts';
import { type OpenApiDocument, openApiDocument } from '../openapi/document.ts';

let latest: { readonly origin: string; readonly document: OpenApiDocument } | undefined;

/** GET /openapi.json: the description of this deployment. */
export function openApiRoute(c: Context<Env>): Response {
  const origin = publicOrigin(c);
  if (latest?.origin !== origin) latest = { origin, document: openApiDocument(origin) };
  return c.json(latest.document);
}
