import { pricing } from '../../pricing.ts';
import * as examples from '../examples.ts';
import { headersWith } from '../headers.ts';
import { operation } from '../operation.ts';
import { jsonResponse } from '../response_objects.ts';
import { schemaRef } from '../schemas.ts';

const keyIdParameter = {
  name: 'key_id',
  in: 'path',
  required: true,
  description: 'The id of a key, as it was issued.',
  schema: { type: 'string', pattern: '^key_[0-9a-f]{24}$' },
  example: examples.usageExample.key_id,
};

export const accountPaths = {
  '/v1/usage': {
    get: operation({
      id: 'getUsage',
      tag: 'Account',
      summary: 'Calls and cost of a key this month',
      description: 'The current UTC month of the calling key. Not metered.',
      auth: 'key',
      responses: {
        200: jsonResponse(
          'Usage so far.',
          'UsageRecord',
          { month: { value: examples.usageExample } },
          'Cache-Control',
        ),
      },
      errors: [401, 429, 503],
    }),
  },
  '/v1/pricing': {
    get: operation({
      id: 'getPricing',
      tag: 'Account',
      summary: 'What calls cost',
      description: 'Plans, their rate limits, prices and default caps, and the rule of the free call.',
      auth: 'none',
      responses: { 200: jsonResponse('Live pricing.', 'Pricing', { plans: { value: pricing() } }) },
    }),
  },
};

export const keyPaths = {
  '/v1/keys': {
    post: operation({
      id: 'issueKey',
      tag: 'Keys',
      summary: 'Issue an API key',
      description: 'The key is shown once, in this answer, and stored nowhere.',
      auth: 'admin',
      body: {
        required: true,
        content: {
          'application/json': {
            schema: schemaRef('KeyRequest'),
            examples: {
              pro: { value: { plan: 'pro' } },
              capped: { value: { plan: 'enterprise', monthly_billable_cap: 5000 } },
            },
          },
        },
      },
      responses: {
        201: jsonResponse(
          'The new key.',
          'IssuedKey',
          { issued: { value: examples.issuedKeyExample } },
          'Cache-Control',
          'Location',
        ),
      },
      errors: [400, 401, 415, 429, 503],
    }),
  },
  '/v1/keys/{key_id}': {
    parameters: [keyIdParameter],
    get: operation({
      id: 'showKey',
      tag: 'Keys',
      summary: 'State and usage of a key',
      description: 'The current month, and those before it.',
      auth: 'admin',
      responses: {
        200: jsonResponse(
          'The key.',
          'KeyRecord',
          { active: { value: examples.keyRecordExample } },
          'Cache-Control',
        ),
      },
      errors: [401, 404, 429, 503],
    }),
    delete: operation({
      id: 'revokeKey',
      tag: 'Keys',
      summary: 'Revoke a key',
      description: 'For good. Revoking it again makes no difference.',
      auth: 'admin',
      responses: { 204: { description: 'It is revoked.', headers: headersWith() } },
      errors: [401, 404, 429, 503],
    }),
  },
};
