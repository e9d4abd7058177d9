import { withRemoteMeters } from './api/billing/remote_meters.ts';
import type { Bindings } from './api/env.ts';
import { createApp } from './app.ts';

export { CallMeter } from './metering/call_meter.ts';

const app = createApp();

export default {
  fetch: (request, env, context) => app.fetch(request, withRemoteMeters(env), context),
} satisfies ExportedHandler<Bindings>;
