import type { Journal, MonthCount } from './journal.ts';
import { dayIn, firstDayOf } from './months.ts';

/** The counters of a month before and after one UTC day: the difference was counted on that day. */
export interface DaySpan {
  /** Days since 1970. */
  readonly day: number;
  readonly from: MonthCount;
  readonly to: MonthCount;
}

/**
 * The days of the months kept. For each day, the month's counters just before the day's first call are
 * stored: that writes one row a day, while counters for each day would write one more row with every call.
 *
 * Calls that versions without marks have counted belong to no day.
 */
export class DayMarks {
  readonly #marks: Map<number, MonthCount>;
  readonly #journal: Journal;

  constructor(marks: ReadonlyMap<number, MonthCount>, journal: Journal) {
    this.#marks = new Map(marks);
    this.#journal = journal;
  }

  /**
   * Counts calls that were admitted at a time in a month.
   * @param before the month's counters without them
   */
  add(month: number, at: number, counts: MonthCount, before: MonthCount): void {
    const day = dayIn(month, at);
    const [next] = this.#after(month, day);
    if (!this.#marks.has(day)) this.#set(day, next ? next[1] : before);
    this.#move(month, day, counts.calls, counts.billable);
  }

  /** Takes calls off again. */
  subtract(month: number, at: number, { calls, billable }: MonthCount): void {
    this.#move(month, dayIn(month, at), -calls, -billable);
  }

  /** Drops the days of months up to this one. */
  dropUntil(month: number): void {
    const kept = firstDayOf(month + 1);
    for (const day of [...this.#marks.keys()]) {
      if (day >= kept) continue;
      this.#marks.delete(day);
      this.#journal.deleteDay(day);
    }
  }

  /**
   * The days of a month on which calls were counted, in order.
   * @param total the counters of the month
   */
  of(month: number, total: MonthCount): DaySpan[] {
    const marks = this.#after(month, firstDayOf(month) - 1);
    return marks.map(([day, from], index) => ({ day, from, to: marks[index + 1]?.[1] ?? total }));
  }

  /** Changes what later days of the month begin with, which includes the counts of earlier days. */
  #move(month: number, day: number, calls: number, billable: number): void {
    for (const [later, mark] of this.#after(month, day))
      this.#set(later, { calls: mark.calls + calls, billable: mark.billable + billable });
  }

  /** The marks of a month after a day, in order. */
  #after(month: number, day: number): [number, MonthCount][] {
    const end = firstDayOf(month + 1);
    const marks = [...this.#marks].filter(([each]) => each > day && each < end);
    return marks.sort(([a], [b]) => a - b);
  }

  #set(day: number, mark: MonthCount): void {
    this.#marks.set(day, mark);
    this.#journal.putDay(day, mark);
  }
}
