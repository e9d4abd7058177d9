import { WINDOW_MS } from './plans.ts';

/**
 * The sliding-window log: a call takes a place for the 60 s that follow it, and not a millisecond longer.
 * Nothing here reads a clock; all times are Unix milliseconds given by the caller.
 */
export function isWithinWindow(at: number, now: number): boolean {
  return now < at + WINDOW_MS;
}

/**
 * When one more call than now could be made: the moment the oldest place that stands in the way is free
 * again.
 * @param times of the places in the window, ascending
 * @param limit places that there are
 * @returns Unix milliseconds; `now` where no place is taken
 */
export function nextPlaceAt(times: readonly number[], limit: number, now: number): number {
  const oldest = times[Math.max(0, times.length - limit)];
  return oldest === undefined ? now : oldest + WINDOW_MS;
}

/**
 * Whole seconds from `now` after which `time` is reached: the smallest number that is enough, never negative.
 */
export function secondsUntil(time: number, now: number): number {
  return Math.max(0, Math.ceil((time - now) / 1000));
}
