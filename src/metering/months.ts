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
