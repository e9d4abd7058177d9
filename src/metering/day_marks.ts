import type { Journal, MonthCount } from './journal.ts';
import { dayIn, firstDayOf } from './months.ts';

/** The counters of a month before and after one UTC day: what lies between them was counted on it. */
export interface DaySpan {
  /** Days since 1970. */
  readonly day: number;
  readonly from: MonthCount;
  readonly to: MonthCount;
}

/**
 * The days of the months kept. Stored is, of each day, what the month's counters were when its first call was
 * counted: one row a day, where counters of days would be one row more with every call.
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
   * Counts calls admitted at a time of a month.
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
   * The days of a month on which calls were counted, the first before the last.
   * @param total the counters of the month
   */
  of(month: number, total: MonthCount): DaySpan[] {
    const marks = this.#after(month, firstDayOf(month) - 1);
    return marks.map(([day, from], index) => ({ day, from, to: marks[index + 1]?.[1] ?? total }));
  }

  /** What later days of the month begin with changes, since it counts what came before. */
  #move(month: number, day: number, calls: number, billable: number): void {
    for (const [later, mark] of this.#after(month, day))
      this.#set(later, { calls: mark.calls + calls, billable: mark.billable + billable });
  }

  /** Marks of a month behind a day, the first before the last. */
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
