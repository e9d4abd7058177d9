import { Hono } from 'hono';
import { responseHeaders } from '../../src/api/answers/response_headers.ts';
import { CallerMeter } from '../../src/api/billing/meter_client.ts';
import { metered } from '../../src/api/billing/metering.ts';
import { rateLimitStatus } from '../../src/api/billing/rate_limit_status.ts';
import { countedCallerOf } from '../../src/api/caller/caller.ts';
import type { Env } from '../../src/api/env.ts';

export { CallMeter } from '../../src/metering/call_meter.ts';

/** The Worker of metering.node.test.ts: slow metered endpoints, and one that tells the caller's status. */
const app = new Hono<Env>();
app.use(responseHeaders);
app.onError(() => new Response(null, { status: 500 }));
app.post('/slow', metered, async (c) => {
  await scheduler.wait(Number(c.req.query('ms')));
  return c.text('done');
});
app.post('/upload', metered, async (c) => c.text(String((await c.req.arrayBuffer()).byteLength)));
app.get('/look', async (c) => {
  const caller = await countedCallerOf(c);
  const usage = await new CallerMeter(c.env, caller).peek(async () => null);
  c.set('rateLimitStatus', rateLimitStatus(caller.plan, usage, false));
  return c.text('seen');
});

export default app;
