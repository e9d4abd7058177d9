const MEGABYTE = 1024 * 1024;

/** What a thread needs for photos of 50 megapixels of any format, turned ones too. */
const FOR_ANY_PHOTO = 256 * MEGABYTE;

/** What a job of the service has of its 128 MB. */
const LEAST = 100 * MEGABYTE;

/**
 * Threads that share a memory budget; at least one, which then has all of it. With more, each share would be
 * too small for ordinary photos, and all of them be refused.
 * @param budget bytes for all threads together
 * @param asked threads that a caller names: each then has a share that serves photos of ordinary size.
 * Absent: as many as the cores, with a share that serves any photo
 */
export function threadCount(budget: number, cores: number, asked?: number): number {
  const served = Math.floor(budget / (asked === undefined ? FOR_ANY_PHOTO : LEAST));
  return Math.max(1, Math.min(asked ?? cores, served));
}
