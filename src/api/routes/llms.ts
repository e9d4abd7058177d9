import type { Context } from 'hono';
import { publicOrigin } from '../answers/public_origin.ts';
import type { Env } from '../env.ts';
import { llmsText } from '../openapi/llms_text.ts';

/** GET /llms.txt: a short description for language models. */
export function llmsRoute(c: Context<Env>): Response {
  return c.text(llmsText(publicOrigin(c)), 200, { 'Cache-Control': 'public, max-age=3600' });
}
