import { createApp } from './app.ts';

export { CallMeter } from './metering/call_meter.ts';

export default createApp();
