import type { Context } from 'hono';
import type { MonthCount } from '../../metering/journal.ts';
import { planOf } from '../../metering/key_account.ts';
import type { DayUsage } from '../../metering/meter_answers.ts';
import { MONTHS_KEPT } from '../../metering/month_counters.ts';
import { dateOf, monthOf, periodOf } from '../../metering/months.ts';
import { costOf, moneyOf, type PlanName } from '../../metering/plans.ts';
import type { DayRecord, UsageRecord } from '../../ops/account.ts';
import { ApiError } from '../answers/errors.ts';
import { countedCallerOf, refusedKeyError } from '../caller/caller.ts';
import type { Env } from '../env.ts';
import { issuedAccount } from './issued_keys.ts';
import { CallerMeter, MeterUnreachable } from './meter_client.ts';
import { rateLimitStatus } from './rate_limit_status.ts';

/** The query of `GET /v1/usage`. */
interface UsageQuery {
  /** `YYYY-MM`; the current month when absent. */
  readonly period?: string | undefined;
  /** `day`: also report the days of the month. */
  readonly by?: string | undefined;
}

/**
 * The usage of the calling key in a UTC month. Also sets the request's rate limit status.
 * @throws ApiError bad_request for a malformed period, one that is not kept, or an unknown `by`; as
 * `countedCallerOf`; invalid_api_key without a key or with a refused one; overloaded when the meter can't be
 * reached
 */
export async function usageRecord(c: Context<Env>, { period, by }: UsageQuery = {}): Promise<UsageRecord> {
  const caller = await countedCallerOf(c);
  if (caller.keyId === null) throw new ApiError('invalid_api_key', 'Usage is kept per API key; send yours.');
  const { CALL_METER } = c.env;
  const meter = new CallerMeter(c.env, caller);
  const now = await meter.peek((id) => issuedAccount(CALL_METER, id));
  c.set('rateLimitStatus', rateLimitStatus(caller.plan, now, false));
  if (now.revoked) throw refusedKeyError(c, 'revoked');
  if (now.refusal) throw refusedKeyError(c, now.refusal);
  if (by !== undefined && by !== 'day') throw new ApiError('bad_request', 'Expected by to be day.');
  const plan = now.key ? planOf(now.key) : caller.plan;
  const key = { key_id: caller.keyId, plan };
  const month = period === undefined ? now.month : requireKeptMonth(period, now.month);
  if (month === now.month && by === undefined) {
    const count = { calls: now.calls, billable: now.billableCalls };
    return { ...key, ...monthRecord(plan, month, count, now.key?.mills) };
  }
  const usage = await meter.usage(by === undefined ? null : month);
  const { count = { calls: 0, billable: 0 }, mills } =
    usage?.history.find((each) => each.month === month) ?? {};
  const record = { ...key, ...monthRecord(plan, month, count, mills) };
  if (by === undefined) return record;
  // An object that still runs the previous version returns no days. Better no answer than a month without
  // calls.
  if (usage && !usage.days) throw new MeterUnreachable(false);
  return { ...record, days: (usage?.days ?? []).map(dayRecord) };
}

/** @throws ApiError bad_request */
function requireKeptMonth(period: string, current: number): number {
  const month = monthOf(period);
  const oldest = current - MONTHS_KEPT + 1;
  if (month !== null && month >= oldest && month <= current) return month;
  const kept = `${periodOf(oldest)} to ${periodOf(current)}`;
  throw new ApiError(
    'bad_request',
    `Expected period to be a month such as ${periodOf(current)}, from ${kept}.`,
  );
}

/**
 * The usage of one UTC month as usage records show it.
 * @param mills its cost, if the meter reports it; otherwise computed from the plan's price
 */
export function monthRecord(
  plan: PlanName,
  month: number,
  { calls, billable }: MonthCount,
  mills: number | undefined,
): Omit<UsageRecord, 'key_id' | 'plan' | 'days'> {
  const { cents, usd } = mills === undefined ? costOf(plan, billable) : moneyOf(mills);
  return { period: periodOf(month), calls, billable_calls: billable, cost_cents: cents, cost_usd: usd };
}

function dayRecord({ day, count, mills }: DayUsage): DayRecord {
  const { cents, usd } = moneyOf(mills);
  const { calls, billable } = count;
  return { date: dateOf(day), calls, billable_calls: billable, cost_cents: cents, cost_usd: usd };
}
