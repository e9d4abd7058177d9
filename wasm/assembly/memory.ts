/**
 * One bump allocator for the whole core: a job allocates as it goes and releases back to a mark. Nothing is
 * managed, so there is no collector, and what a job holds is exactly what was asked for.
 */

import { ALIGNMENT, PAGE_BYTES } from './constants';

/** How many bytes `alloc` really reserves for `bytes`: rounded up to a multiple of ALIGNMENT. */
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

/** The current top of memory, for a later `release`. */
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

/**
 * A layout is everything that one decoder or encoder reserves. `counting`: only add the sizes up, reserve
 * nothing.
 */
let counting: bool = false;
let countedBytes: u64 = 0;
/** A reservation of this layout failed. Remembered, because a smaller one after it may still succeed. */
let failed: bool = false;

/** Begins a layout. @param count true to only add up what `reserve` is asked for */
export function beginLayout(count: bool): void {
  counting = count;
  countedBytes = 0;
  failed = false;
}

/**
 * Like `alloc`, as part of a layout. While counting, nothing is reserved: never store at the address
 * returned.
 */
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

/** Whether every reservation of the layout succeeded, so that its memory can be used. */
export function isLaidOut(): bool {
  return !counting && !failed;
}

/** Ends counting. @returns the layout's size in bytes */
export function endCounting(): u64 {
  counting = false;
  return countedBytes;
}
