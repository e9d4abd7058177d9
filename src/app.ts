import { Hono } from 'hono';
import { ApiError, errorResponse, toApiError } from './api/answers/errors.ts';
import { wantsProblem } from './api/answers/problem_details.ts';
import { publicOrigin } from './api/answers/public_origin.ts';
import { responseHeaders } from './api/answers/response_headers.ts';
import { securityHeaders } from './api/answers/security_headers.ts';
import { metered } from './api/billing/metering.ts';
import type { Env } from './api/env.ts';
import { anyOrigin } from './api/middleware/cors.ts';
import { countRequests } from './api/middleware/count_requests.ts';
import { drainUnreadBody } from './api/middleware/drain_unread_body.ts';
import { registerOtherMethods } from './api/middleware/other_methods.ts';
import { requestId } from './api/middleware/request_id.ts';
import { requireSettings } from './api/middleware/require_settings.ts';
import { detectRoute } from './api/routes/detect.ts';
import { docsAssetRoute, docsRoute } from './api/routes/docs.ts';
import { healthRoute } from './api/routes/health.ts';
import { inspectRoute } from './api/routes/inspect.ts';
import {
  changeKeyRoute,
  issueKeyRoute,
  listKeysRoute,
  revokeKeyRoute,
  rotateKeyRoute,
  showKeyRoute,
} from './api/routes/keys.ts';
import { llmsRoute } from './api/routes/llms.ts';
import { mcpRoute } from './api/routes/mcp.ts';
import { metricsRoute } from './api/routes/metrics.ts';
import { openApiRoute } from './api/routes/openapi.ts';
import {
  playgroundAssetRoute,
  playgroundRootRoute,
  playgroundRoute,
  privacyRoute,
  shareRoute,
} from './api/routes/playground.ts';
import { pricingRoute } from './api/routes/pricing.ts';
import { readyRoute } from './api/routes/ready.ts';
import { robotsRoute } from './api/routes/robots.ts';
import { sanitizeRoute } from './api/routes/sanitize.ts';
import { toolsRoute } from './api/routes/tools.ts';
import { usageRoute } from './api/routes/usage.ts';

/**
 * The whole service. Middleware, from the outermost: request counts, draining of unread bodies, request id,
 * headers of every response, CORS, settings. Then the routes.
 */
export function createApp(): Hono<Env> {
  const app = new Hono<Env>();
  app.use(
    countRequests,
    drainUnreadBody,
    requestId,
    securityHeaders,
    responseHeaders,
    anyOrigin,
    requireSettings,
  );

  app.post('/v1/sanitize', metered, sanitizeRoute);
  app.post('/v1/detect', metered, detectRoute);
  app.post('/v1/inspect', metered, inspectRoute);

  app.get('/v1/usage', usageRoute);
  app.get('/v1/health', healthRoute);
  app.get('/v1/ready', readyRoute);
  app.get('/metrics', metricsRoute);
  app.get('/v1/pricing', pricingRoute);

  app.post('/mcp', mcpRoute);
  app.get('/openapi.json', openApiRoute);
  app.get('/v1/tools.json', toolsRoute);
  app.get('/llms.txt', llmsRoute);
  app.get('/robots.txt', robotsRoute);

  app.get('/v1/keys', listKeysRoute);
  app.post('/v1/keys', issueKeyRoute);
  app.get('/v1/keys/:key_id', showKeyRoute);
  app.patch('/v1/keys/:key_id', changeKeyRoute);
  app.delete('/v1/keys/:key_id', revokeKeyRoute);
  app.post('/v1/keys/:key_id/rotate', rotateKeyRoute);

  app.get('/', playgroundRoute);
  app.get('/privacy', privacyRoute);
  app.get('/playground/*', playgroundAssetRoute);
  app.get('/service_worker.js', playgroundRootRoute);
  app.get('/manifest.webmanifest', playgroundRootRoute);
  app.post('/share', shareRoute);
  app.get('/docs', docsRoute);
  app.get('/docs/*', docsAssetRoute);

  registerOtherMethods(app);
  app.notFound((c) => {
    throw new ApiError('not_found', `There is nothing at ${c.req.path.slice(0, 200)}`);
  });
  app.onError((error, c) => {
    const apiError = toApiError(error);
    const docs = `${publicOrigin(c)}/docs#${apiError.code}`;
    return errorResponse(apiError, c.get('requestId'), docs, wantsProblem(c.req.header('Accept')));
  });
  return app;
}
