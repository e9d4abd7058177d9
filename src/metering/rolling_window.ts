import { WINDOW_MS } from './plans.ts';

/**
 * The sliding-window log algorithm: a call counts against the limit for exactly `WINDOW_MS` after it was
 * admitted. Nothing here reads a clock; all times are Unix milliseconds given by the caller.
 */
export function isWithinWindow(at: number, now: number): boolean {
  return now < at + WINDOW_MS;
}

/**
 * When one more call than now will be possible: the moment that the oldest call in the way leaves the window.
 * @param times when the calls in the window were admitted, ascending; more than `limit` if a plan's limit was
 * lowered
 * @param limit calls allowed in a window
 * @returns Unix milliseconds; `now` for an empty window
 */
export function windowResetAt(times: readonly number[], limit: number, now: number): number {
  const oldest = times[Math.max(0, times.length - limit)];
  return oldest === undefined ? now : oldest + WINDOW_MS;
}

/** Whole seconds from `now` until `time`, rounded up; 0 for a time that has passed. */
export function secondsUntil(time: number, now: number): number {
  return Math.max(0, Math.ceil((time - now) / 1000));
}
