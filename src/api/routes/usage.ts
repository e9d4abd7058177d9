import type { Context } from 'hono';
import type { MonthCount } from '../../metering/journal.ts';
import { periodOf } from '../../metering/months.ts';
import { costOf, type PlanName } from '../../metering/plans.ts';
import { callerOf } from '../caller.ts';
import type { Env } from '../env.ts';
import { ApiError } from '../errors.ts';
import { CallerMeter } from '../meter_client.ts';
import { standingFrom } from '../standing.ts';

/** GET /v1/usage: the spec's usage record of the calling key. Not metered. */
export async function usageRoute(c: Context<Env>): Promise<Response> {
  const caller = await callerOf(c);
  if (caller.kind === 'anonymous')
    throw new ApiError('invalid_api_key', 'Usage is kept per API key; send yours.');
  if (caller.kind === 'refused') throw new ApiError('invalid_api_key', 'This API key is unknown.');
  const reading = await new CallerMeter(c.env.CALL_METER, caller).peek();
  c.set('standing', standingFrom(caller.plan, reading, false));
  if (reading.revoked) throw new ApiError('invalid_api_key', 'This API key has been revoked.');
  const count = { calls: reading.calls, billable: reading.billableCalls };
  const record = {
    key_id: caller.keyId,
    plan: caller.plan,
    ...monthRecord(caller.plan, reading.month, count),
  };
  return c.json(record, 200, { 'Cache-Control': 'no-store' });
}

/** One UTC month as usage records show it. */
export function monthRecord(plan: PlanName, month: number, { calls, billable }: MonthCount) {
  const { cents, usd } = costOf(plan, billable);
  return { period: periodOf(month), calls, billable_calls: billable, cost_cents: cents, cost_usd: usd };
}
