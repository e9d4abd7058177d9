import type { Hono } from 'hono';
import type { Env } from './env.ts';
import { ApiError } from './errors.ts';

/**
 * Registers a 405 response with `Allow` for every other method at the paths registered so far. Call it after
 * the last route.
 */
export function registerMethodNotAllowed(app: Hono<Env>): void {
  const handlers = app.routes.filter(({ method }) => method !== 'ALL');
  const byPath = Map.groupBy(handlers, ({ path }) => path);
  for (const [path, routes] of byPath) {
    const methods = new Set(routes.map(({ method }) => method));
    if (methods.has('GET')) methods.add('HEAD');
    methods.add('OPTIONS');
    const allow = [...methods].sort();
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
