import { expect, test } from 'vitest';
import { billingRules } from '../../../src/api/billing/pricing.ts';
import { plans } from '../../../src/metering/plans.ts';
import { ask, meteringHeaders } from './counting_app.ts';

test('GET /v1/pricing returns the currency, the free rule and the plans of the plan table', async () => {
  const response = await ask('/v1/pricing', { method: 'GET', ip: '203.0.113.1' });
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({
    currency: 'USD',
    free_rule: {
      description: expect.stringContaining('1 call per rolling 60-second'),
      free_calls: 1,
      window_seconds: 60,
    },
    plans: [
      {
        plan: 'free',
        key_required: false,
        rate_limit: { calls: 1, window_seconds: 60 },
        price_per_billable_call: null,
        default_monthly_billable_cap: null,
      },
      {
        plan: 'pro',
        key_required: true,
        rate_limit: { calls: 60, window_seconds: 60 },
        price_per_billable_call: 0.004,
        default_monthly_billable_cap: 100_000,
      },
      {
        plan: 'enterprise',
        key_required: true,
        rate_limit: { calls: 600, window_seconds: 60 },
        price_per_billable_call: 0.002,
        default_monthly_billable_cap: 1_000_000,
      },
    ],
  });
  expect(Object.keys(plans)).toHaveLength(3);
  expect(meteringHeaders(response, Date.now())).toMatchObject({
    plan: 'free',
    remaining: 1,
    billable: 'false',
    cents: '0',
  });
});

test('the billing rules name their numbers, and the description of the free rule is all of them', async () => {
  const rules = billingRules.join(' ');
  expect(rules).toContain('4xx or 5xx, are never billed');
  expect(rules).toContain('past 20 in 60 seconds');
  expect(rules).toContain('past 3 in 60 seconds');
  expect(rules).toContain('earliest billable call');
  const response = await ask('/v1/pricing', { method: 'GET' });
  const { free_rule } = await response.json<{ free_rule: { description: string } }>();
  expect(free_rule.description).toBe(rules);
});
