import type { Hono } from 'hono';
import { ApiError } from '../answers/errors.ts';
import type { Env } from '../env.ts';
import { preflight } from './cors.ts';

/**
 * Registers, at the paths registered so far, a response to OPTIONS (RFC 9110 section 9.3.7), which also
 * answers CORS preflights, and a 405 for every other method; both with `Allow`. Call it after the last route.
 */
export function registerOtherMethods(app: Hono<Env>): void {
  const handlers = app.routes.filter(({ method }) => method !== 'ALL');
  const byPath = Map.groupBy(handlers, ({ path }) => path);
  for (const [path, routes] of byPath) {
    const methods = new Set(routes.map(({ method }) => method));
    if (methods.has('GET')) methods.add('HEAD');
    methods.add('OPTIONS');
    const allow = [...methods].sort();
    app.options(path, async (c) => {
      const response = await preflight(c);
      response.headers.set('Allow', allow.join(', '));
      return response;
    });
    app.all(path, (c) => {
      throw new ApiError(
        'method_not_allowed',
        `Expected ${allow.join(', ')} for ${path} but received ${c.req.method}`,
        {
          allow,
        },
      );
    });
  }
}
