const MEGABYTE = 1024 * 1024;

/** What a thread needs for photos of 50 megapixels in any format, including turned ones. */
const FOR_ANY_PHOTO = 256 * MEGABYTE;

/** What a job of the service can use of the isolate's 128 MB. */
const LEAST = 100 * MEGABYTE;

/**
 * Number of threads that share a memory budget; at least one, which then has all of it. With more threads
 * each share would be too small for ordinary photos, and all of those would be refused.
 * @param budget bytes for all threads together
 * @param asked number of threads that a caller wants; each share must then suffice for ordinary photos. If
 * absent: one per core, with shares that suffice for any photo
 */
export function threadCount(budget: number, cores: number, asked?: number): number {
  const served = Math.floor(budget / (asked === undefined ? FOR_ANY_PHOTO : LEAST));
  return Math.max(1, Math.min(asked ?? cores, served));
}
