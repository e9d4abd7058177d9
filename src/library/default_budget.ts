const MEGABYTE = 1024 * 1024;

/** Room for several large photos at a time. */
const MOST = 512 * MEGABYTE;

/** What is used of a browser's `navigator`. */
interface Device {
  readonly deviceMemory?: number;
}

/**
 * Bytes that calls share where they name no figure of their own: 512 MB, and on small devices a quarter of
 * the memory, where the browser tells it (Device Memory, in GiB).
 */
export function defaultMemoryBudget(
  { deviceMemory }: Device = (globalThis as { navigator?: Device }).navigator ?? {},
): number {
  return deviceMemory ? Math.min(MOST, deviceMemory * 256 * MEGABYTE) : MOST;
}
