import type { Context } from 'hono';
import type { Reading } from '../metering/meter.ts';
import { costOf, type PlanName, plans } from '../metering/plans.ts';
import { callerOf } from './caller.ts';
import type { Env } from './env.ts';
import { CallerMeter } from './meter_client.ts';

/** Where the caller stands, as the headers of one response say it. */
export interface Standing {
  readonly plan: PlanName;
  readonly limit: number;
  readonly remaining: number;
  /** Unix milliseconds when the next place in use is free again, and the moment this was read. */
  readonly resetAt: number;
  readonly now: number;
  /** Whether this very call was charged. */
  readonly billable: boolean;
  readonly costCents: number;
}

declare module 'hono' {
  interface ContextVariableMap {
    /** Set by whatever asked the caller's meter while serving the request. */
    standing: Standing | undefined;
  }
}

/** @param billable whether the call that this answers is charged */
export function standingFrom(plan: PlanName, reading: Reading, billable: boolean): Standing {
  const { limit, remaining, resetAt, now, billableCalls } = reading;
  return { plan, limit, remaining, resetAt, now, billable, costCents: costOf(plan, billableCalls).cents };
}

/** What a plan grants, for callers whose counter is not or can not be asked. */
export function untouchedStanding(plan: PlanName, now: number): Standing {
  const limit = plans[plan].callsPerWindow;
  return { plan, limit, remaining: limit, resetAt: now, now, billable: false, costCents: 0 };
}

/**
 * The standing of this request: the one its handling found, or else a look at the caller's counter. Never
 * fails.
 */
export async function standingOf(c: Context<Env>): Promise<Standing> {
  const known = c.get('standing');
  if (known) return known;
  const caller = await callerOf(c);
  if (caller.kind === 'refused') return untouchedStanding(caller.plan, Date.now());
  try {
    return standingFrom(caller.plan, await new CallerMeter(c.env.CALL_METER, caller).peek(), false);
  } catch {
    return untouchedStanding(caller.plan, Date.now());
  }
}
