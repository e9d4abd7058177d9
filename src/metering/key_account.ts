import { MONTHS_KEPT } from './month_counters.ts';
import { monthAt } from './months.ts';
import { type PlanName, plans, planWithCode } from './plans.ts';

/** The claims of a key's token as numbers, so that the operator can look the key up without the token. */
export interface KeyFacts {
  /** Code of the plan in the plan table. */
  readonly plan: number;
  /** Billable calls a UTC month. */
  readonly cap: number;
  /** Unix milliseconds. */
  readonly issuedAt: number;
}

/** A change of plan: which calls the plan before it covered, and so what these cost. */
export interface PlanChange {
  /** The UTC month of the change (see months.ts). */
  readonly month: number;
  /** Billable calls of that month at the time of the change. */
  readonly billable: number;
  /** Code of the plan before. */
  readonly plan: number;
}

/**
 * What the operator has agreed with the holder of a key. It is stored in the key's meter. Plan and cap in the
 * token are only those that the key was issued with. All values are numbers.
 */
export interface KeyAccount extends KeyFacts {
  /** The operator's own number for the key, such as a customer's number; no text is stored about anybody. */
  readonly label: number | null;
  /** Unix milliseconds from which the key is refused. */
  readonly expiresAt: number | null;
  /** When the newest token was issued, Unix milliseconds; equal to `issuedAt` until the key is rotated. */
  readonly newestIssuedAt: number;
  /** Whether a call with the newest token was admitted since the key was rotated: 1 or 0. */
  readonly newestUsed: number;
  /** The token before the newest: when it was issued, and until when it is accepted, Unix milliseconds. */
  readonly replacedIssuedAt: number | null;
  readonly replacedUntil: number | null;
}

/** Members of an account that the operator may change; those that are absent stay as they are. */
export type AccountChange = Partial<Pick<KeyAccount, 'plan' | 'cap' | 'label' | 'expiresAt'>>;

/** Why a token with a valid signature is refused. */
export type KeyRefusal = 'unissued' | 'expired' | 'replaced';

/** The account of a key as issued. Also makes an account of facts stored by versions without accounts. */
export function accountOf(facts: KeyFacts & Partial<KeyAccount>): KeyAccount {
  return {
    label: null,
    expiresAt: null,
    newestIssuedAt: facts.issuedAt,
    newestUsed: 0,
    replacedIssuedAt: null,
    replacedUntil: null,
    ...facts,
  };
}

/**
 * Replaces the newest token by one issued at `issuedAt`; the one before it is accepted until `until`. If the
 * newest was never used, its holder may not have received it: then only it is replaced, and the one in use
 * stays.
 */
export function rotated(account: KeyAccount, issuedAt: number, now: number, until: number): KeyAccount {
  const { newestIssuedAt, newestUsed, replacedIssuedAt, replacedUntil } = account;
  const isOlderInUse = newestUsed === 0 && replacedIssuedAt !== null && now < (replacedUntil ?? 0);
  return {
    ...account,
    newestIssuedAt: issuedAt,
    newestUsed: 0,
    replacedIssuedAt: isOlderInUse ? replacedIssuedAt : newestIssuedAt,
    replacedUntil: until,
  };
}

/** The account after a call with this token; the same object if nothing changes. */
export function withUse(account: KeyAccount, tokenIssuedAt: number): KeyAccount {
  const isFirstUse =
    account.newestUsed === 0 &&
    account.newestIssuedAt !== account.issuedAt &&
    tokenIssuedAt === account.newestIssuedAt;
  return isFirstUse ? { ...account, newestUsed: 1 } : account;
}

/**
 * Whether a token of this key is refused at `now`: a key that has expired, a token that was replaced, or one
 * with a time of issue at which none was issued.
 */
export function refusalOf(account: KeyAccount, tokenIssuedAt: number, now: number): KeyRefusal | null {
  if (account.expiresAt !== null && now >= account.expiresAt) return 'expired';
  if (tokenIssuedAt === account.newestIssuedAt) return null;
  if (tokenIssuedAt > account.newestIssuedAt || tokenIssuedAt < account.issuedAt) return 'unissued';
  const isTaken = tokenIssuedAt === account.replacedIssuedAt && now < (account.replacedUntil ?? 0);
  return isTaken ? null : 'replaced';
}

/** The plan of an account; `free` for a code that no plan has. */
export function planOf({ plan }: Pick<KeyFacts, 'plan'>): PlanName {
  return planWithCode(plan) ?? 'free';
}

/** Rate limit and cap of an account. */
export function termsOf(account: KeyAccount): { limit: number; cap: number } {
  return { limit: plans[planOf(account)].callsPerWindow, cap: account.cap };
}

/** Adds a change. Leaves out one that covers no calls, and those too old to matter. */
export function withChange(
  changes: readonly PlanChange[],
  plan: number,
  billable: number,
  now: number,
): PlanChange[] {
  const month = monthAt(now);
  const kept = changes.filter((change) => change.month > month - MONTHS_KEPT);
  const last = kept.at(-1);
  const hasLength = !last || last.month !== month || last.billable < billable;
  return hasLength ? [...kept, { month, billable, plan }] : kept;
}

/**
 * What the billable calls of a month cost, each at the price of the plan that applied when it was counted.
 * @param changes oldest first
 * @returns mills (thousandths of a US dollar)
 */
export function millsOf(
  changes: readonly PlanChange[],
  plan: number,
  month: number,
  billable: number,
): number {
  let counted = 0;
  let mills = 0;
  const add = (until: number, code: number) => {
    const calls = Math.max(0, Math.min(until, billable) - counted);
    mills += calls * (plans[planOf({ plan: code })].millsPerBillableCall ?? 0);
    counted += calls;
  };
  for (const change of changes) {
    if (change.month === month) add(change.billable, change.plan);
    if (change.month > month) add(billable, change.plan);
  }
  add(billable, plan);
  return mills;
}
