import type { Context } from 'hono';
import type { Env } from '../env.ts';
import { llmsText } from '../openapi/llms_text.ts';
import { publicOrigin } from '../public_origin.ts';

/** GET /llms.txt: a short description for language models. */
export function llmsRoute(c: Context<Env>): Response {
  return c.text(llmsText(publicOrigin(c)), 200, { 'Cache-Control': 'public, max-age=3600' });
}
