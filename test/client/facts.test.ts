import { expect, test } from 'vitest';
import { callFacts } from '../../client/facts.ts';

test('the headers of a response are parsed', () => {
  const headers = new Headers({
    'X-Request-Id': 'abc',
    'X-Service-Plan': 'pro',
    'X-Service-Billable': 'true',
    'X-Service-Period-Cost-Cents': '1.2',
    'X-RateLimit-Limit': '60',
    'X-RateLimit-Remaining': '59',
    'X-RateLimit-Reset': '1700000000',
  });
  expect(callFacts(headers)).toEqual({
    requestId: 'abc',
    plan: 'pro',
    billable: true,
    periodCostCents: 1.2,
    rateLimit: { limit: 60, remaining: 59, resetAt: new Date(1_700_000_000_000) },
  });
  headers.set('X-Service-Cap-Remaining', '7');
  expect(callFacts(headers)?.capRemaining).toBe(7);
});

test('headers of another service give undefined', () => {
  expect(callFacts(new Headers({ Server: 'other' }))).toBeUndefined();
});
