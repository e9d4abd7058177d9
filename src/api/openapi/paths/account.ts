import { DEFAULT_LISTED_KEYS, MAX_LISTED_KEYS } from '../../../ops/account.ts';
import { pricing } from '../../billing/pricing.ts';
import * as examples from '../examples.ts';
import { headersWith, type SpecificHeader } from '../headers.ts';
import { operation, queryParameter } from '../operation.ts';
import { jsonResponse } from '../response_objects.ts';
import { type SchemaName, schemaRef } from '../schemas.ts';

const jsonBody = (schema: SchemaName, values: Record<string, { value: unknown }>) => ({
  required: true,
  content: { 'application/json': { schema: schemaRef(schema), examples: values } },
});

/** A JSON response that must not be cached. @param values examples by their names */
const uncached = (
  description: string,
  schema: SchemaName,
  values: Record<string, unknown>,
  ...headers: SpecificHeader[]
) => {
  const named = Object.entries(values).map(([name, value]) => [name, { value }]);
  return jsonResponse(description, schema, Object.fromEntries(named), 'Cache-Control', ...headers);
};

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
      summary: 'Calls and cost of a key in a month',
      description: 'The current UTC month of the calling key, or one of the twelve before it. Not metered.',
      auth: 'key',
      parameters: [
        queryParameter(
          'period',
          'A UTC month, YYYY-MM; the current one when absent.',
          { type: 'string', pattern: '^\\d{4}-(0[1-9]|1[0-2])$' },
          examples.usageExample.period,
        ),
        queryParameter('by', 'Adds the days of the month.', { type: 'string', enum: ['day'] }, 'day'),
      ],
      responses: {
        200: uncached('Usage so far.', 'UsageRecord', {
          month: examples.usageExample,
          byDay: examples.dailyUsageExample,
        }),
      },
      errors: [400, 401, 429, 503],
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
    get: operation({
      id: 'listKeys',
      tag: 'Keys',
      summary: 'List the keys that were issued',
      description:
        'All keys of this deployment, revoked ones too, in pages. A key that a version without this list has issued ' +
        'enters it at its next call, or when it is shown, changed or revoked.',
      auth: 'admin',
      parameters: [
        queryParameter(
          'limit',
          'Most keys of the page.',
          { type: 'integer', minimum: 1, maximum: MAX_LISTED_KEYS, default: DEFAULT_LISTED_KEYS },
          20,
        ),
        queryParameter('cursor', 'The `next_cursor` of the page before; the first page when absent.', {
          type: 'string',
        }),
      ],
      responses: {
        200: uncached('The keys.', 'KeyList', { keys: examples.keyListExample }),
      },
      errors: [400, 401, 429, 503],
    }),
    post: operation({
      id: 'issueKey',
      tag: 'Keys',
      summary: 'Issue an API key',
      description: 'The key is shown once, in this answer, and stored nowhere.',
      auth: 'admin',
      body: jsonBody('KeyRequest', {
        pro: { value: { plan: 'pro' } },
        capped: { value: { plan: 'enterprise', monthly_billable_cap: 5000 } },
      }),
      responses: {
        201: uncached('The new key.', 'IssuedKey', { issued: examples.issuedKeyExample }, 'Location'),
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
        200: uncached('The key.', 'KeyRecord', { active: examples.keyRecordExample }),
      },
      errors: [401, 404, 429, 503],
    }),
    patch: operation({
      id: 'changeKey',
      tag: 'Keys',
      summary: 'Change plan, cap, label or expiry of a key',
      description:
        'Counts from the next call on, without a new key. Calls counted before keep the price of their plan.',
      auth: 'admin',
      body: jsonBody('KeyChange', {
        upgrade: { value: { plan: 'enterprise', monthly_billable_cap: 500_000 } },
        expiry: { value: { expires_at: '2027-01-01T00:00:00Z' } },
      }),
      responses: {
        200: uncached('The key as it is now.', 'KeyRecord', { active: examples.keyRecordExample }),
      },
      errors: [400, 401, 404, 415, 429, 503],
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
  '/v1/keys/{key_id}/rotate': {
    parameters: [keyIdParameter],
    post: operation({
      id: 'rotateKey',
      tag: 'Keys',
      summary: 'Replace a key by a new one',
      description:
        'The new key has the same id, account and counters. The one before is taken for the overlap asked for, a day ' +
        'unless said otherwise; one that it had replaced itself ends at once. If the new key was never used, the next ' +
        'rotation replaces that one alone, so an answer that was lost does no harm.',
      auth: 'admin',
      body: jsonBody('KeyRotation', { overlap: { value: { overlap_seconds: 3600 } } }),
      responses: {
        201: uncached('The new key.', 'RotatedKey', { rotated: examples.rotatedKeyExample }),
      },
      errors: [400, 401, 404, 415, 429, 503],
    }),
  },
};
