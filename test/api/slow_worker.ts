import { Hono } from 'hono';
import type { Env } from '../../src/api/env.ts';
import { metered } from '../../src/api/metering.ts';
import { responseHeaders } from '../../src/api/response_headers.ts';

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
app.get('/look', (c) => c.text('seen'));

export default app;
