import { DayMarks, type DaySpan } from './day_marks.ts';
import type { AdmittedCall, Journal, MonthCount } from './journal.ts';
import { dayIn } from './months.ts';

/** Months of counters kept for the operator's invoices: the current one and twelve before it. */
export const MONTHS_KEPT = 13;

/** The part of a call that decides where it is counted. */
type Counted = Pick<AdmittedCall, 'month' | 'at'>;

/** The counters of one key by UTC month and day (see months.ts). Every change goes to the journal. */
export class MonthCounters {
  readonly #months: Map<number, MonthCount>;
  readonly #days: DayMarks;
  readonly #journal: Journal;

  constructor(
    months: ReadonlyMap<number, MonthCount>,
    days: ReadonlyMap<number, MonthCount>,
    journal: Journal,
  ) {
    this.#months = new Map(months);
    this.#days = new DayMarks(days, journal);
    this.#journal = journal;
  }

  get size(): number {
    return this.#months.size;
  }

  /** The counters of a month; zero if nothing was counted. */
  get(month: number): MonthCount {
    return this.#months.get(month) ?? { calls: 0, billable: 0 };
  }

  /**
   * Counts calls, and drops months that are then too old. Month 0 has no counters.
   *
   * After a gap the clock may have been set wrongly, and counters that were dropped would not come back with
   * the right time. So the present month alone drops nothing: whatever is too old by the month that was
   * counted before it goes, and the rest with the first call of the next month.
   */
  add({ month, at }: Counted, counts: MonthCount): void {
    if (month === 0) return;
    const last = this.#lastBefore(month);
    const since = last < month - 1 ? last : month;
    const before = this.get(month);
    this.#set(month, { calls: before.calls + counts.calls, billable: before.billable + counts.billable });
    this.#days.add(month, at, counts, before);
    for (const each of this.#months.keys()) {
      if (each > since - MONTHS_KEPT) continue;
      this.#months.delete(each);
      this.#journal.deleteMonth(each);
      this.#days.dropUntil(each);
    }
  }

  /** Takes calls off again, unless the month is no longer kept. */
  subtract({ month, at }: Counted, counts: MonthCount): void {
    const count = this.#months.get(month);
    if (!count) return;
    this.#set(month, { calls: count.calls - counts.calls, billable: count.billable - counts.billable });
    this.#days.subtract(month, at, counts);
  }

  /** Moves the count of a call to another day of its month, unless the month is no longer kept. */
  move({ month, at }: Counted, to: number, counts: MonthCount): void {
    const count = this.#months.get(month);
    if (!count || dayIn(month, at) === dayIn(month, to)) return;
    this.#days.subtract(month, at, counts);
    const others = { calls: count.calls - counts.calls, billable: count.billable - counts.billable };
    this.#days.add(month, to, counts, others);
  }

  /** The days of a month on which calls were counted, in order. */
  daysOf(month: number): DaySpan[] {
    return this.#days.of(month, this.get(month));
  }

  /** All months kept, oldest first. */
  get history(): { month: number; count: MonthCount }[] {
    const kept = [...this.#months].map(([month, count]) => ({ month, count }));
    return kept.sort((a, b) => a.month - b.month);
  }

  /** The last month before this one in which calls were counted; 0 for none. */
  #lastBefore(month: number): number {
    let last = 0;
    for (const each of this.#months.keys()) if (each < month) last = Math.max(last, each);
    return last;
  }

  #set(month: number, count: MonthCount): void {
    this.#months.set(month, count);
    this.#journal.putMonth(month, count);
  }
}
