import * as examples from '../examples.ts';
import { headersWith } from '../headers.ts';
import { operation } from '../operation.ts';
import { jsonResponse } from '../response_objects.ts';

export const servicePaths = {
  '/v1/health': {
    get: operation({
      id: 'getHealth',
      tag: 'Service',
      summary: 'Liveness',
      description: '200 when the service is up, with its version and the networks it runs.',
      auth: 'none',
      responses: { 200: jsonResponse('Up.', 'Health', { up: { value: examples.healthExample } }) },
    }),
  },
  '/v1/ready': {
    get: operation({
      id: 'getReadiness',
      tag: 'Service',
      summary: 'Readiness',
      description:
        '200 when a call would be served now: counters can be reached, and there is room to wait for memory.',
      auth: 'none',
      responses: {
        200: jsonResponse('Ready.', 'Readiness', { ready: { value: { status: 'ready' } } }, 'Cache-Control'),
      },
      errors: [503],
    }),
  },
  '/metrics': {
    get: operation({
      id: 'getMetrics',
      tag: 'Service',
      summary: 'Figures for the operator',
      description:
        'Prometheus text: calls by route and status, refusals by code, times, memory and detector passes of the ' +
        'isolate that answers, since it started. Nothing of an image, a key or an address.',
      auth: 'admin',
      responses: {
        200: {
          description: 'The figures.',
          headers: headersWith('Cache-Control'),
          content: { 'text/plain': { schema: { type: 'string' } } },
        },
      },
      errors: [401, 429, 503],
    }),
  },
};
