import type { Journal, MonthCount } from './journal.ts';

/** Months of counters kept for the operator's invoices: the current one and twelve before it. */
export const MONTHS_KEPT = 13;

/** The counters of one key by UTC month (see months.ts). Every change goes to the journal. */
export class MonthCounters {
  readonly #months: Map<number, MonthCount>;
  readonly #journal: Journal;

  constructor(months: ReadonlyMap<number, MonthCount>, journal: Journal) {
    this.#months = new Map(months);
    this.#journal = journal;
  }

  get size(): number {
    return this.#months.size;
  }

  /** The counters of a month; zero where nothing was counted. */
  get(month: number): MonthCount {
    return this.#months.get(month) ?? { calls: 0, billable: 0 };
  }

  /** Counts calls, and drops months that are then too old. Month 0 has no counters. */
  add(month: number, counts: MonthCount): void {
    if (month === 0) return;
    const { calls, billable } = this.get(month);
    this.#set(month, { calls: calls + counts.calls, billable: billable + counts.billable });
    for (const each of this.#months.keys()) {
      if (each > month - MONTHS_KEPT) continue;
      this.#months.delete(each);
      this.#journal.deleteMonth(each);
    }
  }

  /** Takes calls off again, unless the month is no longer kept. */
  subtract(month: number, counts: MonthCount): void {
    const count = this.#months.get(month);
    if (!count) return;
    this.#set(month, { calls: count.calls - counts.calls, billable: count.billable - counts.billable });
  }

  /** All months kept, oldest first. */
  get history(): { month: number; count: MonthCount }[] {
    const kept = [...this.#months].map(([month, count]) => ({ month, count }));
    return kept.sort((a, b) => a.month - b.month);
  }

  #set(month: number, count: MonthCount): void {
    this.#months.set(month, count);
    this.#journal.putMonth(month, count);
  }
}
