const MEGABYTE = 1024 * 1024;

/** Enough for several large photos at a time. */
const MOST = 512 * MEGABYTE;

/** The members of a browser's `navigator` that are used. */
interface Device {
  readonly deviceMemory?: number;
}

/**
 * Bytes shared by calls that name no budget: 512 MB, or a quarter of the device's memory if that is less and
 * the browser reports it (Device Memory, in GiB).
 */
export function defaultMemoryBudget(
  { deviceMemory }: Device = (globalThis as { navigator?: Device }).navigator ?? {},
): number {
  return deviceMemory ? Math.min(MOST, deviceMemory * 256 * MEGABYTE) : MOST;
}
