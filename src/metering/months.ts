/**
 * The UTC month of a moment as a whole number: months since year 0, so that the next month is the next
 * number.
 * @param time Unix milliseconds
 */
export function monthAt(time: number): number {
  const date = new Date(time);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** @returns the month as `YYYY-MM`, the period of a usage record */
export function periodOf(month: number): string {
  const year = String(Math.floor(month / 12)).padStart(4, '0');
  return `${year}-${String((month % 12) + 1).padStart(2, '0')}`;
}

/** @returns the month of a period `YYYY-MM`; null for any other text */
export function monthOf(period: string): number | null {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(period) ?? [];
  return year === undefined ? null : Number(year) * 12 + Number(month) - 1;
}

const DAY_MS = 86_400_000;

/** The first UTC day of a month, in days since 1970. */
export function firstDayOf(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12) / DAY_MS;
}

/**
 * The UTC day of a time, in days since 1970; for a time outside of the month, the month's nearest day. A call
 * counts in the month in which it was admitted, even if the clock was set back since.
 * @param time Unix milliseconds
 */
export function dayIn(month: number, time: number): number {
  const day = Math.floor(time / DAY_MS);
  return Math.min(Math.max(day, firstDayOf(month)), firstDayOf(month + 1) - 1);
}

/** @returns the day as `YYYY-MM-DD` */
export function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
