import type { Context } from 'hono';
import { publicOrigin } from '../answers/public_origin.ts';
import type { Env } from '../env.ts';
import { llmsText } from '../openapi/llms_text.ts';
import { TextsByOrigin } from '../openapi/texts_by_origin.ts';

const texts = new TextsByOrigin(llmsText);

/** GET /llms.txt: a short description for language models. */
export function llmsRoute(c: Context<Env>): Response {
  const text = texts.text(publicOrigin(c), undefined);
  return c.text(text, 200, { 'Cache-Control': 'public, max-age=3600' });
}
