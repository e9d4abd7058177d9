const MEGABYTE = 1024 * 1024;
/** Megabytes of a Worker isolate: the default budget. */
export const DEFAULT_BUDGET_MB = 128;
/**
 * Megabytes that the isolate holds besides any job, measured by V8's own figures: heap and array buffers of
 * at most 22.4 while 50 megapixels are processed, and 4.5 of compiled code (docs/benchmarks.md, What an
 * isolate holds).
 */
export const BASELINE_MB = 28;

/**
 * Bytes that all jobs of an isolate may hold together.
 * @param setting MEMORY_BUDGET_MB; anything but a number above `BASELINE_MB` is a configuration mistake, for
 * which the default is safe
 * @param heldBytes held permanently in addition to the baseline
 */
export function jobBytes(setting: string | undefined, heldBytes = 0): number {
  const megabytes = Number(setting);
  const all = (megabytes > BASELINE_MB ? megabytes : DEFAULT_BUDGET_MB) - BASELINE_MB;
  return Math.max(0, all * MEGABYTE - heldBytes);
}
