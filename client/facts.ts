import type { UsageRecord } from '../src/ops/account.ts';

/** Rate limit and billing, from the headers of every response. */
export interface CallFacts {
  readonly requestId: string;
  readonly plan: UsageRecord['plan'];
  /** Whether this call was charged. */
  readonly billable: boolean;
  /** Month-to-date cost of the key, in US cents. */
  readonly periodCostCents: number;
  /** Billable calls left until the key's monthly cap; absent while more than a tenth of it is left. */
  readonly capRemaining?: number;
  readonly rateLimit: {
    /** Calls allowed in the rolling window, and how many are left. */
    readonly limit: number;
    readonly remaining: number;
    /** When the oldest call leaves the rolling window. */
    readonly resetAt: Date;
  };
}

/** Reads the facts from a response's headers. @returns undefined if it is not from this service */
export function callFacts(headers: Headers): CallFacts | undefined {
  const plan = headers.get('X-Service-Plan');
  if (plan === null) return undefined;
  const number = (name: string) => Number(headers.get(name) ?? 0);
  return {
    requestId: headers.get('X-Request-Id') ?? '',
    plan: plan as CallFacts['plan'],
    billable: headers.get('X-Service-Billable') === 'true',
    periodCostCents: number('X-Service-Period-Cost-Cents'),
    ...(headers.has('X-Service-Cap-Remaining') && { capRemaining: number('X-Service-Cap-Remaining') }),
    rateLimit: {
      limit: number('X-RateLimit-Limit'),
      remaining: number('X-RateLimit-Remaining'),
      resetAt: new Date(number('X-RateLimit-Reset') * 1000),
    },
  };
}
