import type { Hono } from 'hono';
import type { Env } from './env.ts';
import { ApiError } from './errors.ts';

/**
 * Answers 405 with `Allow` for every method that the routes registered so far do not take. Call it after the
 * last route.
 */
export function refuseOtherMethods(app: Hono<Env>): void {
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
