import { DurableObject } from 'cloudflare:workers';

export class CallMeter extends DurableObject {}

export default {
  fetch: () => new Response('ok'),
} satisfies ExportedHandler;
