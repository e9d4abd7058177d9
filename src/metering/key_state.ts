import {
  accountOf,
  type KeyAccount,
  type KeyFacts,
  millsOf,
  type PlanChange,
  termsOf,
} from './key_account.ts';
import type { Meter, Terms, UsageSnapshot } from './meter.ts';
import type { CallerUsage, DayUsage, KeyEvidence, KeyUsage } from './meter_answers.ts';
import type { SqlJournal } from './sql_journal.ts';

/** What an object holds in memory while it runs; the journal holds the same. */
export interface OpenState {
  readonly journal: SqlJournal;
  readonly meter: Meter;
  account: KeyAccount | null;
  planChanges: readonly PlanChange[];
}

/** The stored account; for a key without one, the account that the Worker can prove. */
export function accountBy(
  { account }: OpenState,
  facts: KeyFacts,
  { issued }: KeyEvidence,
): KeyAccount | null {
  return account ?? (issued === undefined ? accountOf(facts) : issued);
}

export function storeAccount(state: OpenState, account: KeyAccount): void {
  state.account = account;
  state.journal.putAccount(account);
}

/** @param terms of callers without a stored account */
export function usageOf(state: OpenState, terms: Terms, now: number): CallerUsage {
  const usage = state.meter.snapshot(state.account ? termsOf(state.account) : terms, now);
  return { ...usage, ...standingOf(state, usage) };
}

export function standingOf(
  { account, planChanges }: OpenState,
  { month, billableCalls }: UsageSnapshot,
): Pick<CallerUsage, 'key'> {
  if (!account) return {};
  const { plan, cap } = account;
  return { key: { plan, cap, mills: millsOf(planChanges, plan, month, billableCalls) } };
}

export function keyUsage({ meter, planChanges }: OpenState, account: KeyAccount, now: number): KeyUsage {
  const { month, calls, billableCalls } = meter.snapshot(termsOf(account), now);
  const mills = (each: number, billable: number) => millsOf(planChanges, account.plan, each, billable);
  const history = meter
    .history(now)
    .map((each) => ({ ...each, mills: mills(each.month, each.count.billable) }));
  return {
    ...account,
    revokedAt: meter.revokedAt,
    month,
    current: { calls, billable: billableCalls },
    mills: mills(month, billableCalls),
    history,
  };
}

/** The days of a month with calls. A day costs the month's cost after it less that before it. */
export function dayUsage(
  { meter, planChanges }: OpenState,
  { plan }: KeyAccount,
  month: number,
  now: number,
): DayUsage[] {
  const mills = (billable: number) => millsOf(planChanges, plan, month, billable);
  return meter.daysOf(month, now).flatMap(({ day, from, to }) => {
    const count = { calls: to.calls - from.calls, billable: to.billable - from.billable };
    return count.calls > 0 ? [{ day, count, mills: mills(to.billable) - mills(from.billable) }] : [];
  });
}
