/**
 * One bump allocator for the whole core: a job allocates as it goes and releases back to a mark. Nothing is
 * managed, so there is no collector, and what a job holds is exactly what was asked for.
 */

import { ALIGNMENT, PAGE_BYTES } from './constants';

/** What is reserved for so many bytes: whole multiples of ALIGNMENT. */
// @inline
export function allocated(bytes: usize): usize {
  return (bytes + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
}

/** Where the next allocation starts. */
let top: usize = allocated(__heap_base);

/** The highest `top` ever was: the job's counted peak, in bytes. */
let highWater: usize = top;

/**
 * Reserves `bytes` (zero is allowed), aligned, not cleared.
 * @returns the address, or 0 when the memory cannot grow that far (the caller reports a limit, nothing is
 * reserved)
 */
export function alloc(bytes: usize): usize {
  const at = top;
  const end = at + allocated(bytes);
  if (end < at) return 0;
  const have = <usize>memory.size() * PAGE_BYTES;
  if (end > have) {
    const pages = (end - have + PAGE_BYTES - 1) / <usize>PAGE_BYTES;
    if (memory.grow(<i32>pages) < 0) return 0;
  }
  top = end;
  if (top > highWater) highWater = top;
  return at;
}

/** The current top, to be given back to `release`. */
export function mark(): usize {
  return top;
}

/** Frees everything allocated since `at` was taken by `mark`. */
export function release(at: usize): void {
  if (at < top) top = at;
}

/** The most bytes that were ever in use at once, static data included. */
export function peakBytes(): usize {
  return highWater;
}

/** Of a layout, all that one decoder or encoder reserves: whether it is only counted, and so many bytes. */
let counting: bool = false;
let countedBytes: u64 = 0;
/** One reservation failed: a smaller one after it may succeed. */
let failed: bool = false;

/** Begins a layout. @param count `reserve` shall only add up what it is asked for */
export function beginLayout(count: bool): void {
  counting = count;
  countedBytes = 0;
  failed = false;
}

/** As `alloc`, of a layout; while counting, an address that nothing may be stored at. */
export function reserve(bytes: usize): usize {
  if (counting) {
    countedBytes += <u64>allocated(bytes);
    return ALIGNMENT;
  }
  const at = alloc(bytes);
  if (at === 0) failed = true;
  return at;
}

/** Whether the layout is only counted. */
export function isCounting(): bool {
  return counting;
}

/** Whether all of the layout is there to be used. */
export function isLaidOut(): bool {
  return !counting && !failed;
}

/** Ends counting. @returns its bytes */
export function endCounting(): u64 {
  counting = false;
  return countedBytes;
}
