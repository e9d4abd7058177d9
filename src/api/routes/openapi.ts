import type { Context } from 'hono';
import { publicOrigin } from '../answers/public_origin.ts';
import type { Bindings, Env } from '../env.ts';
import { openApiDocument } from '../openapi/document.ts';
import { TextsByOrigin } from '../openapi/texts_by_origin.ts';

const texts = new TextsByOrigin((origin, deployed: Bindings['DETECTORS']) =>
  JSON.stringify(openApiDocument(origin, deployed?.detectors)),
);

/** GET /openapi.json: the description of this deployment. */
export function openApiRoute(c: Context<Env>): Response {
  const text = texts.text(publicOrigin(c), c.env.DETECTORS);
  return c.body(text, 200, { 'Content-Type': 'application/json' });
}
