import type { FileCommand } from './op_options.ts';

/** How many files ended how; those of `total` that are in none of the others were left alone. */
export interface Counts {
  readonly total: number;
  done: number;
  refused: number;
  skipped: number;
  /** Of those that are done: how many carry metadata. Absent where that was not asked. */
  carrying?: number;
}

const verbs = {
  clean: 'cleaned',
  inspect: 'inspected',
  detect: 'searched',
  check: 'checked',
  dryRun: 'would be cleaned',
} as const satisfies Record<FileCommand | 'dryRun', string>;

/** What a run has done, in one line. What was not tried is said wherever there is any. */
export function summaryOf(
  command: keyof typeof verbs,
  { total, done, refused, skipped, carrying = 0 }: Counts,
  seconds: number,
  isInterrupted: boolean,
): string {
  const left = total - done - refused - skipped;
  const parts = [
    `${done} ${verbs[command]}`,
    carrying > 0 && `${carrying} with metadata`,
    refused > 0 && `${refused} refused`,
    skipped > 0 && `${skipped} skipped`,
    left > 0 && `${left} not tried`,
  ];
  const end = isInterrupted ? ', interrupted' : '';
  return `${parts.filter(Boolean).join(', ')} in ${durationOf(seconds)}${end}`;
}

/** In files: less is told by the time that modules take to load. In files a second: less would read 0.0. */
const LEAST_WORK = 0.05;

/**
 * Files a second, and the time that is left, of the files so far.
 * @param underway of the files that are worked on, what is done, in files
 */
export function paceOf(counts: Counts, underway: number, seconds: number): string {
  const { total, done, refused, skipped } = counts;
  const worked = done + refused + underway;
  if (worked < LEAST_WORK || seconds <= 0) return 'starting';
  const rate = worked / seconds;
  const left = `${durationOf((total - skipped - worked) / rate)} left`;
  // Of one file nobody wants to know how many go into a second.
  return total === 1 || rate < LEAST_WORK
    ? left
    : `${rate < 10 ? rate.toFixed(1) : Math.round(rate)}/s, ${left}`;
}

/** Seconds as people write them: 8 s, 2:05 min, 1:02:03 h. */
export function durationOf(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}:${two(whole % 60)} min`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)} h`;
}
