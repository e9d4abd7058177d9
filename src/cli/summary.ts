import type { FileCommand } from './op_options.ts';

/** How many files ended in which way; the rest of `total` was not tried. */
export interface Counts {
  readonly total: number;
  done: number;
  refused: number;
  skipped: number;
  /** How many of the completed files carry metadata. Absent if that was not checked. */
  carrying?: number;
}

const verbs = {
  clean: 'cleaned',
  inspect: 'inspected',
  detect: 'searched',
  check: 'checked',
  dryRun: 'would be cleaned',
} as const satisfies Record<FileCommand | 'dryRun', string>;

/** The results of a run in one line. Says how many files were not tried, if any. */
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

/**
 * In files: with less done, the time is mostly that of loading modules. In files per second: less would show
 * as 0.0.
 */
const LEAST_WORK = 0.05;

/**
 * Files per second, and the remaining time, from the files so far.
 * @param underway completed part of the files in progress, as a number of files
 */
export function paceOf(counts: Counts, underway: number, seconds: number): string {
  const { total, done, refused, skipped } = counts;
  const worked = done + refused + underway;
  if (worked < LEAST_WORK || seconds <= 0) return 'starting';
  const rate = worked / seconds;
  const left = `${durationOf((total - skipped - worked) / rate)} left`;
  // For a single file, files per second mean nothing.
  return total === 1 || rate < LEAST_WORK
    ? left
    : `${rate < 10 ? rate.toFixed(1) : Math.round(rate)}/s, ${left}`;
}

/** A duration as people write it: 8 s, 2:05 min, 1:02:03 h. */
export function durationOf(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}:${two(whole % 60)} min`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)} h`;
}
