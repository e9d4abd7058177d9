import type { Context } from 'hono';
import { publicOrigin } from '../answers/public_origin.ts';
import type { Env } from '../env.ts';
import { type OpenApiDocument, openApiDocument } from '../openapi/document.ts';

let latest: { readonly origin: string; readonly of: unknown; readonly document: OpenApiDocument } | undefined;

/** GET /openapi.json: the description of this deployment. */
export function openApiRoute(c: Context<Env>): Response {
  const origin = publicOrigin(c);
  const { DETECTORS: of } = c.env;
  if (latest?.origin !== origin || latest.of !== of) {
    latest = { origin, of, document: openApiDocument(origin, of?.detectors) };
  }
  return c.json(latest.document);
}
