import type { AccountChange, KeyAccount, KeyRefusal } from '../../src/metering/key_account.ts';

interface Token {
  readonly at: number;
  used: boolean;
  /** Until when it is taken; null for the newest one, 0 for one that never is again. */
  until: number | null;
}

/** Calls in a rolling minute and mills of a billable call, by the code of the plan. */
const PLANS: Readonly<Record<number, { limit: number; mills: number }>> = {
  1: { limit: 60, mills: 4 },
  2: { limit: 600, mills: 2 },
};

/**
 * The documented rules of a key's account, the simple way: it keeps every token and the price of every
 * charged call. Shares no code with src/metering.
 */
export class ReferenceAccount {
  readonly #tokens: Token[];
  #plan: number;
  #cap: number;
  #label: number | null = null;
  #expiresAt: number | null = null;
  readonly #charges: { month: number; mills: number }[] = [];
  /** Whether a charge was taken back: which price it had is not told from outside. */
  #isVague = false;
  readonly planCodes: number[];

  constructor({ plan, cap, issuedAt }: KeyAccount) {
    this.#plan = plan;
    this.#cap = cap;
    this.#tokens = [{ at: issuedAt, used: false, until: null }];
    this.planCodes = [plan];
  }

  get terms(): { limit: number; cap: number } {
    return { limit: PLANS[this.#plan]!.limit, cap: this.#cap };
  }

  get #newest(): Token {
    return this.#tokens.at(-1)!;
  }

  /** What the object says of the account. */
  get told() {
    return {
      plan: this.#plan,
      cap: this.#cap,
      label: this.#label,
      expiresAt: this.#expiresAt,
      issuedAt: this.#tokens[0]!.at,
      newestIssuedAt: this.#newest.at,
    };
  }

  /** The time of issue of one of the tokens, or one that no token has. */
  tokenTime(pick: number): number {
    // The newest is what most calls come with.
    const index = pick % (2 * this.#tokens.length + 1);
    if (index === 2 * this.#tokens.length) return this.#tokens[0]!.at - 1 + 2 * (pick % 2) * 1e12;
    return (this.#tokens[index] ?? this.#newest).at;
  }

  nextTokenTime(now: number): number {
    return Math.max(now, this.#newest.at + 1);
  }

  isNewest(at: number): boolean {
    return this.#newest.at === at;
  }

  refusalOf(at: number, now: number): KeyRefusal | null {
    if (this.#expiresAt !== null && this.#expiresAt <= now) return 'expired';
    const token = this.#tokens.find((each) => each.at === at);
    if (!token) return at < this.#tokens[0]!.at || at > this.#newest.at ? 'unissued' : 'replaced';
    return token.until === null || now < token.until ? null : 'replaced';
  }

  used(at: number): void {
    for (const token of this.#tokens) if (token.at === at) token.used = true;
  }

  charged(month: number): void {
    this.#charges.push({ month, mills: PLANS[this.#plan]!.mills });
  }

  uncharged(): void {
    this.#isVague = true;
  }

  change({ plan, cap, label, expiresAt }: AccountChange): void {
    if (plan !== undefined) this.#plan = plan;
    if (cap !== undefined) this.#cap = cap;
    if (label !== undefined) this.#label = label;
    if (expiresAt !== undefined) this.#expiresAt = expiresAt;
    this.planCodes.push(this.#plan);
  }

  /** @returns what the new token takes the place of */
  rotate(at: number, now: number, until: number): 'replaces the newest' | 'replaces an unused one' {
    const newest = this.#newest;
    const older = this.#tokens.filter((token) => token !== newest && token.until !== 0).at(-1);
    const isUnused = !newest.used && older !== undefined && now < older.until!;
    for (const token of this.#tokens) token.until = 0;
    (isUnused ? older : newest).until = until;
    this.#tokens.push({ at, used: false, until: null });
    return isUnused ? 'replaces an unused one' : 'replaces the newest';
  }

  /** What the charged calls of a month cost; between bounds once a charge was taken back. */
  millsOf(month: number, billable: number): { least: number; most: number } {
    if (this.#isVague) return { least: 2 * billable, most: 4 * billable };
    const charges = this.#charges.filter((each) => each.month === month);
    const mills = charges.reduce((sum, each) => sum + each.mills, 0);
    return { least: mills, most: mills };
  }
}
